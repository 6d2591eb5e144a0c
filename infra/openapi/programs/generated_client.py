from portal_client import AuthenticatedClient, Client, models
from portal_client.api.declarations import validate_amount
from portal_client.api.invoices import list_invoices
from portal_client.api.session import login

API, TENANT, API_KEY = "http://127.0.0.1:3000", "demo.example", "7a1e9c52-3f0b-4d68-9b1f-5c2d84e6a001"
user = models.LoginRequest(email="ana@demo.example", password="Demo-2026!")
token = login.sync(client=Client(API), tenant=TENANT, body=user).data.authorization
portal = AuthenticatedClient(API, token, headers={"X-API-Key": API_KEY})

page = list_invoices.sync(client=portal, tenant=TENANT, startdate="2026-06-01", enddate="2026-08-31")
print(page.meta.total, page.data.rows[0].invoice_id)
result = validate_amount.sync(client=portal, tenant=TENANT, body=models.AmountToCheck("9008", 1250))
print(result.data.action if isinstance(result, models.ValidateAmountAnswer) else result.error.code)
