"""The hooks of schemathesis replace what a random request cannot guess, and check responses with status 200."""

import atexit
import collections
import copy
import os
import re

import requests
import schemathesis
from schemathesis.specs.openapi import checks

TENANT, API_KEY = os.environ["DEMO_TENANT"], os.environ["DEMO_API_KEY"]
EMAIL, PASSWORD = os.environ["DEMO_EMAIL"], os.environ["DEMO_PASSWORD"]
UUID = r"(?i)[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}"
# The guide excludes values that a portable schema cannot: a day that does not exist, an instant outside the years 0 to
# 9999, and the reserved name `__proto__`.
INVALID_BY_GUIDE = re.compile(rb'-02-(29|3)|-(04|06|09|11)-31|0000-01-01|9999-12-31|"__proto__"')
STATUSES = {"VALIDATION_ERROR": 400, "INVALID_DATE_RANGE": 400, "UNAUTHORIZED": 401, "NOT_FOUND": 404}

examples = collections.Counter()


@schemathesis.auth().apply_to(path_regex="/supplier-portal/")
class Credentials:
    def get(self, case, context):
        login = {"email": EMAIL, "password": PASSWORD}
        url = os.environ["PORTAL_URL"] + "/apidev/v1/login"
        return requests.post(url, json=login, headers={"tenant": TENANT}, timeout=30).json()["data"]["authorization"]

    def set(self, case, token, context):
        case.headers.update({"Authorization": f"Bearer {token}", "X-API-Key": API_KEY})


@schemathesis.hook
def before_call(context, case, kwargs):
    """Replaces valid values by values that the demo data contain. An invalid value stays as it is."""
    # A reset of the clock deletes the counts of requests and failed logins, so that no request is throttled.
    requests.post(os.environ["PORTAL_URL"] + "/_local/clock", json={"reset": True}, timeout=30).raise_for_status()
    if case.headers.get("tenant"):
        case.headers["tenant"] = TENANT
    is_positive = case.meta.generation.mode.is_positive
    for part in ("path_parameters", "query", "body"):
        value = getattr(case, part)
        if isinstance(value, dict):
            setattr(case, part, replace_values(value, is_positive))


def replace_values(values, is_positive):
    """Replaces the credentials, invoices and dates of a request, or of an item of a batch."""
    replaced = dict(values)
    for name, value in values.items():
        if isinstance(value, dict) and name == "WSAutorizacion":
            replaced[name] = replace_credentials(value)
        elif isinstance(value, list) and name in ("declarations", "Declaraciones"):
            replaced[name] = [replace_values(item, is_positive) if isinstance(item, dict) else item for item in value]
        elif name in ("id", "invoice_id", "IdFactura") and re.fullmatch("[0-9]+", str(value)):
            # 9001 to 9007 are invoices of the demo data that can be declared. One of eight ids stays unknown.
            number = int(str(value)[-3:]) % 8
            replaced[name] = f"{9001 + number}" if isinstance(value, str) and number != 7 else value
        elif is_positive and value and isinstance(value, str) and name in ("invoice_number", "NumeroFactura"):
            # The document describes in words that a number has a visible and no control character.
            replaced[name] = re.sub(r"[\x00-\x1f\x7f-\x9f]", "", value)[:59] + "7"
    for start, end in (("startdate", "enddate"), ("FechaDesde", "FechaHasta")):
        if is_positive and {start, end} <= values.keys():
            # August contains invoices. A range that ends where it starts is never too long.
            has_time = "T" in values[start]
            replaced[start], replaced[end] = (values[start],) * 2 if has_time else ("2026-08-01", "2026-08-31")
    if is_positive and {"email", "password"} <= values.keys() and len(values["email"]) % 2:
        replaced.update(email=EMAIL, password=PASSWORD)
    return replaced


def replace_credentials(values):
    guid, user, password = (values.get(name) for name in ("Guid", "Usuario", "Password"))
    has_texts = all(isinstance(value, str) and value for value in (guid, user, password))
    if not has_texts or not re.fullmatch(UUID, guid) or len(user) > 254:
        return values
    return {**values, "Guid": API_KEY, "Usuario": EMAIL, "Password": PASSWORD}


@schemathesis.hook
def after_call(context, case, response):
    if case.meta.phase.name.value == "fuzzing":
        examples[case.operation.label] += 1


@schemathesis.check
def invalid_data_are_rejected(context, response, case):
    # An object without properties becomes an empty parameter, which is valid: it counts as absent.
    if re.search(r"[?&]\w+=(&|$)", response.request.url):
        return None
    return checks.negative_data_rejection(context, apply_error_status(response), case)


@schemathesis.check
def valid_data_are_accepted(context, response, case):
    request = response.request
    sent = request.url.encode() + (request.body if isinstance(request.body, bytes) else (request.body or "").encode())
    if not INVALID_BY_GUIDE.search(sent):
        return checks.positive_data_acceptance(context, apply_error_status(response), case)


def apply_error_status(response):
    """Returns a copy with the status of the error that a legacy call or an item of a batch reports with status 200."""
    codes = re.findall(r'"[Cc]od(?:e|igo)":"([A-Z_]+)"', response.text)
    status = min((STATUSES[code] for code in codes if code in STATUSES), default=response.status_code)
    response_with_status = copy.copy(response)
    response_with_status.status_code = status
    return response_with_status


@atexit.register
def print_examples():
    for operation, count in sorted(examples.items()):
        print(f"{count} examples: {operation}")
