from datetime import datetime, timedelta, timezone
from pathlib import Path
import time
import requests

API = "http://127.0.0.1:3000/apidev/v1"
USER = {"email": "nadia@demo.example", "password": "Demo-2026!"}
PAGE = 100
RANGES = 4
# The first run, without this file, prints all invoices of the year.
SINCE = Path("changed_since.txt")
session = requests.Session()
session.headers.update({"tenant": "demo.example", "X-API-Key": "7a1e9c52-3f0b-4d68-9b1f-5c2d84e6a001"})

def send(method, path, **request):
    response = session.request(method, API + path, timeout=30, **request)
    if response.status_code == 429:
        time.sleep(int(response.headers["Retry-After"]))
        return send(method, path, **request)
    body = response.json()
    if not body["success"]:
        # The next run asks for the same changes again.
        raise SystemExit(f"{method} {path}: {body['error']}")
    return body

def changed(first, last, since):
    query = {"startdate": first, "enddate": last, "changed_since": since, "limit": PAGE}
    offset, total = 0, 1
    while offset < total:
        page = send("GET", "/supplier-portal/invoices", params={**query, "offset": offset})
        yield from page["data"]["rows"]
        total = page["meta"]["total"]
        # Pages overlap: if the company withdraws an invoice, the invoices after it move up.
        offset += PAGE - 10

started = datetime.now(timezone.utc)
since = SINCE.read_text() if SINCE.exists() else None
session.headers["Authorization"] = "Bearer " + send("POST", "/login", json=USER)["data"]["authorization"]
invoices = {}
last = started.date() + timedelta(days=1)
for _ in range(RANGES):
    first = last - timedelta(days=92)
    invoices.update({row["invoice_id"]: row for row in changed(first, last, since)})
    last = first - timedelta(days=1)
for invoice_id, row in invoices.items():
    print(invoice_id, row["state_code"], row["system_amount"], row["declared_amount"])
    if row["state_code"] in ("REC", "AJU"):
        # The newest change says why, and which amount is paid.
        for change in send("GET", f"/supplier-portal/invoices/{invoice_id}/history", params={"limit": 1})["data"]:
            print(" ", change["approved_amount"], change["message"])
SINCE.write_text((started - timedelta(minutes=1)).isoformat())
