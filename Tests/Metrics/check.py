"""The figures of the example server, as what reads them sees them: check.py BINARIES"""
import datetime
import json
import os
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Server"))

import wire
from hostile import until
from programs import SECRET, TOKEN, Program, digest
from story import BEARER, Scene, insist, staged

import faults
import messages

PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
OPERATIONS = os.path.join(os.path.dirname(__file__), "..", "..", "Documentation", "operations")


def main():
    (binaries,) = sys.argv[1:]
    with staged(binaries) as scene:
        step("figures and traces", lambda: read(scene))
        step("the dashboard's queries", lambda: dashboard(scene))
        step("alerts that fire", lambda: faults.check(scene))


def step(title, check):
    start = time.monotonic()
    check()
    print(f"{title}: as expected, {time.monotonic() - start:.0f} s", flush=True)


def read(scene):
    """All kinds of work, and then both formats and the messages to a collector."""
    collector = messages.Collector()
    server = scene.start(
        "--metrics", "127.0.0.1:0", "--otlp", f"http://127.0.0.1:{collector.port}",
        "--otlp-token", "collector-token", "--otlp-share", "0", "--trust-traceparent")
    port = faults.figures_port(server)
    purchase, customer, receipt = scene.buy()
    scene.expect(204, "POST", "/2019/api/v1/apple/verify-receipt", {"receipt-data": receipt})
    scene.ask(
        "GET", f"/api/v1/apple/subs/{purchase}", headers=(BEARER, f"traceparent: {PARENT}"))
    scene.ask(
        "POST", "/api/v1/apple/subs", {"receiptData": receipt},
        headers=(BEARER, f"traceparent: {PARENT}"))
    scene.ask("GET", "/api/v1/apple/subs/1", headers=("Authorization: Bearer wrong",))
    scene.ask("GET", f"/api/v1/{customer}")
    scene.ask("POST", "/api/v1/webhook/apple", {"password": "wrong"}, headers=())
    until(lambda: scene.between.notifications, "no notification came")
    scene.expect(200, "POST", "/api/v1/webhook/apple", scene.notification(2), headers=())
    until(lambda: any(line.get("reason") == "wrongPassword" for line in server.log), "no reason")

    plain, open_ = scrape(port), scrape(port, "application/openmetrics-text; version=1.0.0")
    insist(plain.fields["content-type"] == "text/plain; version=0.0.4; charset=utf-8", plain.fields)
    insist(open_.fields["content-type"].startswith("application/openmetrics-text"), open_.fields)
    linted = subprocess.run(
        ["promtool", "check", "metrics"], input=plain.body, capture_output=True)
    insist(linted.returncode == 0 and not linted.stderr, "promtool:", linted.stdout, linted.stderr)
    figures = messages.parse(plain.body.decode(), open_.body.decode())
    expected(figures)
    for secret in (purchase, customer, receipt[:40], SECRET, TOKEN, "collector-token"):
        insist(secret not in plain.body.decode(), "an identifier or a secret is in a figure")
    insist(b'trace_id="4bf92f3577b34da6a3ce929d0e0e4736"' in open_.body, "no exemplar")

    insist(scene.ask("GET", "/metrics").status == 404, "figures at the address of the APIs")
    insist(wire.ask(port, "GET", "/").status == 404, "something else at that of figures")
    insist(wire.ask(port, "POST", "/metrics").status == 405, "a figure was posted")
    insist(wire.ask(port, "GET", "/metrics?name[]=x").status == 200, "a query")
    insist(wire.ask(port, "GET", f"http://127.0.0.1:{port}/metrics").status == 200, "an absolute URL")

    # The last messages are sent at the end.
    insist(server.stop() == 0, "the server did not end well")
    collector.check("collector-token", purchase, customer)


def scrape(port, accept="*/*"):
    answer = wire.ask(port, "GET", "/metrics", [f"Accept: {accept}"])
    insist(answer.status == 200, answer.status)
    return answer


def expected(figures):
    """What was done above has been counted."""
    def value(figure, **labels):
        return sum(
            number for (found, its), number in figures.items()
            if found == figure and labels.items() <= dict(its).items())

    def counted(number, figure, **labels):
        insist(value(figure, **labels) >= number, figure, labels, value(figure, **labels))

    one = "/api/v1/apple/subs/{id}"
    counted(1, "storekeeper_http_requests_total", route=one, method="GET", status="200")
    counted(1, "storekeeper_http_requests_total", route=one, method="GET", status="401")
    counted(1, "storekeeper_http_requests_total", route="none", status="404")
    counted(1, "storekeeper_http_request_duration_seconds_count", route=one, outcome="succeeded")
    counted(1, "storekeeper_verifications_total", kind="receipt", outcome="succeeded", reason="")
    counted(1, "storekeeper_notifications_total", vendor="apple", outcome="refused",
            reason="wrongPassword")
    counted(1, "storekeeper_notifications_total", vendor="apple", outcome="succeeded")
    counted(1, "storekeeper_calls_total", vendor="apple", call="verifyReceipt", status="200")
    counted(1, "storekeeper_unit_of_work_duration_seconds_count", kind="write", outcome="succeeded")
    counted(1, "storekeeper_unit_of_work_wait_seconds_count", kind="read")
    counted(1, "storekeeper_job_last_success_timestamp_seconds", name="outbox")
    counted(1, "storekeeper_build_info", version="0.0.0")
    insist(abs(value("storekeeper_start_timestamp_seconds") - time.time()) < 600, "the start")


def dashboard(scene):
    """Prometheus reads each query, and the registry has each figure in it."""
    with open(os.path.join(OPERATIONS, "dashboard.json")) as file:
        panels = json.load(file)["panels"]
    queries = [
        target["expr"].replace("$__rate_interval", "5m").replace("$instance", ".*")
        for panel in panels for target in panel["targets"]]
    with open(os.path.join(OPERATIONS, "alerts.yaml")) as file:
        texts = [*queries, file.read()]
    known = set(messages.families)
    for text in texts:
        for name in re.findall(r"storekeeper_\w+", text):
            family = re.sub(r"_(bucket|sum|count)$", "", name)
            insist(name in known or family in known, "there is no figure", name)
    rules = {"groups": [{"name": "dashboard", "rules": [
        {"record": f"query:{number}", "expr": query} for number, query in enumerate(queries)]}]}
    path = scene.place.path("dashboard-rules.json")
    with open(path, "w") as file:
        json.dump(rules, file)
    subprocess.run(["promtool", "check", "rules", path], check=True, stdout=subprocess.DEVNULL)


main()
