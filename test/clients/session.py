"""A session of a supplier with the client that openapi-python-client generates. Argument: the service's address."""

import sys

from portal_client import AuthenticatedClient, Client, models
from portal_client.api.declarations import declare_batch, declare_invoice, validate_amount
from portal_client.api.invoices import get_invoice, list_invoices
from portal_client.api.session import login

address = sys.argv[1]
tenant = "demo.example"
key = "7a1e9c52-3f0b-4d68-9b1f-5c2d84e6a001"
credentials = models.LoginRequest(email="ana@demo.example", password="Demo-2026!")

session = login.sync(client=Client(base_url=address), tenant=tenant, body=credentials)
assert isinstance(session, models.LoginAnswer), session
portal = AuthenticatedClient(
    base_url=address, token=session.data.authorization, headers={"X-API-Key": key}
)
print("  logged in")

page = list_invoices.sync(
    client=portal, tenant=tenant, startdate="2026-06-01", enddate="2026-08-31", status=models.StateCode.PEN
)
assert isinstance(page, models.ListInvoicesAnswer), page
row = page.data.rows[0]
assert page.meta.total == 17 and row.state_code is models.StateCode.PEN and row.declared_amount is None, page
assert page.data.tolerance.mode is models.ToleranceMode.PCT and page.data.tolerance.tolerance_abs is None, page
print(f"  listed {len(page.data.rows)} of {page.meta.total}: {row.invoice_id}, {row.system_amount + 0.5}")

check = validate_amount.sync(
    client=portal, tenant=tenant, body=models.AmountToCheck(invoice_id="9001", amount=1050.01)
)
assert isinstance(check, models.ValidateAmountAnswer), check
assert check.data.action is models.ToleranceAction.REVIEW and check.data.difference == 50.01, check

declared = declare_invoice.sync(
    client=portal,
    tenant=tenant,
    body=models.Declaration(invoice_id="9001", amount=1050, invoice_number="A-0001-00001234", notes=None),
)
assert isinstance(declared, models.DeclareInvoiceAnswer), declared
assert declared.data.state_id is models.StateId.APR, declared

detail = get_invoice.sync(client=portal, tenant=tenant, id="9001")
assert isinstance(detail, models.GetInvoiceAnswer), detail
assert detail.data.declared_amount == 1050 and detail.data.concepts[0].quantity > 0, detail
print(f"  checked, declared and opened 9001: {detail.data.state_name}")

batch = declare_batch.sync(
    client=portal,
    tenant=tenant,
    body=models.DeclareBatchRequest(declarations=[models.Declaration("9002", 10), models.Declaration("9101", 10)]),
)
assert isinstance(batch, models.DeclareBatchAnswer), batch
declared_item, failed_item = batch.data.results
assert isinstance(declared_item, models.DeclaredItem), batch
assert isinstance(failed_item, models.FailedItem), batch
assert failed_item.error.code is models.ItemErrorCode.NOT_FOUND, batch
print(f"  declared a batch: {declared_item.declaration_id != ''}, {failed_item.error.message}")

settled = validate_amount.sync(
    client=portal, tenant=tenant, body=models.AmountToCheck(invoice_id="9008", amount=1)
)
assert isinstance(settled, models.ValidationErrorAnswer), settled
error_detail = settled.error.details[0]
print(f"  was rejected: {settled.error.code}, {error_detail.property_}: {error_detail.constraints['state']}")
