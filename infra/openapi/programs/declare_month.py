import csv
import sys
import time
import requests

API = "http://127.0.0.1:3000/apidev/v1"
USER = {"email": "nadia@demo.example", "password": "Demo-2026!"}
PAGE = 100
BATCH = 100
session = requests.Session()
session.headers.update({"tenant": "demo.example", "X-API-Key": "7a1e9c52-3f0b-4d68-9b1f-5c2d84e6a001"})

def send(method, path, **request):
    new_login = path == "/login"
    for seconds in (1, 2, 4, 8, None):
        try:
            response = session.request(method, API + path, timeout=30, **request)
            body = response.json()
        except requests.RequestException as lost:
            # The outcome is unknown. It is safe to send the request again.
            status, error = 503, lost
        else:
            if body["success"]:
                return body
            status, error = response.status_code, body["error"]
        if status == 401 and not new_login:
            log_in()
            new_login = True
        elif status in (429, 500, 503) and seconds is not None:
            time.sleep(int(response.headers["Retry-After"]) if status == 429 else seconds)
        else:
            raise SystemExit(f"{method} {path}: {error}")

def log_in():
    session.headers["Authorization"] = "Bearer " + send("POST", "/login", json=USER)["data"]["authorization"]

def pending(first, last):
    query = {"startdate": first, "enddate": last, "status": "PEN", "limit": PAGE}
    rows = []
    while True:
        page = send("GET", "/supplier-portal/invoices", params={**query, "offset": len(rows)})
        rows += page["data"]["rows"]
        if not page["data"]["rows"] or len(rows) >= page["meta"]["total"]:
            return rows

def read_csv(path):
    with open(path, encoding="utf-8-sig") as file:
        return [{"invoice_id": row["invoice_id"], "amount": float(row["amount"])} for row in csv.DictReader(file)]

log_in()
if len(sys.argv) > 1:
    invoices = read_csv(sys.argv[1])
else:
    # Read all pages first: declared invoices leave this list.
    rows = pending("2026-08-01T00:00:00-03:00", "2026-08-31T23:59:59-03:00")
    invoices = [{"invoice_id": row["invoice_id"], "amount": row["system_amount"]} for row in rows]
declared = 0
for start in range(0, len(invoices), BATCH):
    batch = invoices[start:start + BATCH]
    outcome = send("POST", "/supplier-portal/invoices/declare-batch", json={"declarations": batch})["data"]
    declared += outcome["accepted"]
    for result in outcome["results"]:
        if not result["success"]:
            print(result["invoice_id"], result["error"]["code"], result["error"]["message"])
print(declared, "of", len(invoices), "invoices declared")
