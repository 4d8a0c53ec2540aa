"""Texts of figures and messages of OTLP, read by the parsers of others."""
import base64
import json
import os
import re
from http.server import BaseHTTPRequestHandler

from google.protobuf import json_format
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as open_families
from prometheus_client.parser import text_string_to_metric_families as plain_families

from apple import Listener, serve_in_background
from story import insist


def guide():
    """The names in the guide's table, which a test of the package compares with the registry."""
    path = os.path.join(
        os.path.dirname(__file__), "..", "..", "Documentation", "guides", "operating.md")
    with open(path) as file:
        return re.findall(r"^\| `(storekeeper_\w+)`", file.read(), re.MULTILINE)


families = guide()


def parse(plain, open_):
    """The samples by name and labels; both formats have the same, except for what changed between the two scrapes."""
    def samples(found):
        return {
            (sample.name, tuple(sorted(sample.labels.items()))): sample.value
            for family in found for sample in family.samples}

    one, other = samples(plain_families(plain)), samples(open_families(open_))
    insist(set(one) <= set(other), "the formats differ:", set(one) - set(other))
    for name, _ in one:
        insist(name.startswith("storekeeper_"), name)
        family = re.sub(r"_(bucket|sum|count)$", "", name)
        insist(name in families or family in families, "not in the guide:", name)
    return one


class Collector:
    """A collector that remembers what it gets."""

    def __init__(self, status=200):
        self.status = status
        self.messages = []
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                collector.messages.append((self.path, dict(self.headers), body))
                self.send_response(collector.status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, *_):
                pass

        self.port = serve_in_background(Listener(("127.0.0.1", 0), Handler))

    def check(self, token, *secrets):
        """Every message has the protocol's form; the request that had a parent is there with its parts."""
        spans, metrics = [], {}
        for path, fields, body in self.messages:
            insist(fields["Content-Type"] == "application/json", fields)
            insist(fields["Authorization"] == f"Bearer {token}", "no token")
            for secret in secrets:
                insist(secret.encode() not in body, "an identifier was exported")
            if path == "/v1/traces":
                for resource in trace_message(body).resource_spans:
                    for scope in resource.scope_spans:
                        spans += scope.spans
            else:
                insist(path == "/v1/metrics", path)
                message = json_format.Parse(body, ExportMetricsServiceRequest())
                for resource in message.resource_metrics:
                    names = {a.key: a.value.string_value for a in resource.resource.attributes}
                    insist(names.pop("service.instance.id"), "nothing tells two processes apart")
                    insist(names == {"service.name": "storekeeper", "service.version": "0.0.0"}, names)
                    for scope in resource.scope_metrics:
                        metrics = {metric.name: metric for metric in scope.metrics}
        self._check_spans(spans)
        requests = metrics["storekeeper_http_requests_total"].sum
        insist(requests.is_monotonic and requests.aggregation_temporality == 2, requests)
        insist(sum(point.as_int for point in requests.data_points) >= 6, requests)
        durations = metrics["storekeeper_http_request_duration_seconds"].histogram
        for point in durations.data_points:
            insist(len(point.bucket_counts) == len(point.explicit_bounds) + 1, point)
            insist(sum(point.bucket_counts) == point.count > 0, point)
            insist(point.start_time_unix_nano < point.time_unix_nano, point)

    @staticmethod
    def _check_spans(spans):
        insist(spans, "no spans came")
        trace = bytes.fromhex("4bf92f3577b34da6a3ce929d0e0e4736")
        insist(all(span.trace_id == trace for span in spans), "a trace that nobody asked for")
        by_id = {span.span_id: span for span in spans}
        insist(len(by_id) == len(spans), "an id came twice")
        outside = bytes.fromhex("00f067aa0ba902b7")
        for span in spans:
            insist(len(span.span_id) == 8 and 0 < span.start_time_unix_nano <= span.end_time_unix_nano, span)
            if span.parent_span_id != outside:
                parent = by_id[span.parent_span_id]
                insist(parent.start_time_unix_nano <= span.start_time_unix_nano, span)
        requests = [span for span in spans if span.kind == 2]
        insist([span.name for span in requests] == [
            "GET /api/v1/apple/subs/{id}", "POST /api/v1/apple/subs"], requests)
        insist(all(span.parent_span_id == outside for span in requests), requests)
        calls = [span for span in spans if span.kind == 3]
        insist([span.name for span in calls] == ["verifyReceipt"], calls)
        verification = by_id[calls[0].parent_span_id]
        insist(verification.name == "verify receipt", verification)
        insist(by_id[verification.parent_span_id].name == "POST /api/v1/apple/subs", verification)
        insist(any(span.name == "unit of work" for span in spans), "no unit of work")


def trace_message(body):
    """The message, whose identifiers are hexadecimal where the usual JSON form of Protobuf has base64."""
    message = json.loads(body)
    for resource in message["resourceSpans"]:
        for scope in resource["scopeSpans"]:
            for span in scope["spans"]:
                for name in ("traceId", "spanId", "parentSpanId"):
                    if name in span:
                        insist(re.fullmatch("[0-9a-f]{16}([0-9a-f]{16})?", span[name]), span)
                        span[name] = base64.b64encode(bytes.fromhex(span[name])).decode()
    return json_format.ParseDict(message, ExportTraceServiceRequest())
