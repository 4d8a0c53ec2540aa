-- What wrk sends. Each thread has a file of requests of its own, made by throughput.py, one
-- a line: method, path, header fields (name: value, separated by tabs), body; separated by "|".
local number = 0
local threads = {}

function setup(thread)
  thread:set("id", number)
  number = number + 1
  table.insert(threads, thread)
end

function init(arguments)
  lines, position, failed = {}, 0, 0
  accepted = {}
  for status in string.gmatch(arguments[2], "%d+") do accepted[tonumber(status)] = true end
  local wait = tonumber(arguments[3])
  if wait > 0 then delay = function() return wait end end
  for line in io.lines(arguments[1] .. "/" .. id) do
    local method, path, fields, body = string.match(line, "^(.-)|(.-)|(.-)|(.*)$")
    local headers = {}
    for name, value in string.gmatch(fields, "([^:\t]+): ([^\t]*)") do headers[name] = value end
    table.insert(lines, wrk.format(method, path, headers, body))
  end
end

function request()
  position = position % #lines + 1
  return lines[position]
end

function response(status)
  if not accepted[status] then failed = failed + 1 end
end

function done(summary, latency)
  local failures, sent = 0, 0
  for _, thread in ipairs(threads) do failures = failures + thread:get("failed") end
  io.write(string.format(
    "figures %d %.3f %.3f %.3f %d\n", summary.requests, summary.duration / 1e6,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, failures))
end
