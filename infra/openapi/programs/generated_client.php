<?php
require 'portal/vendor/autoload.php';
use OpenAPI\Client\{Api, ApiException, Configuration, Model};

const TENANT = 'demo.example';
$config = (new Configuration())->setHost('http://127.0.0.1:3000');
$http = new GuzzleHttp\Client();
$user = new Model\LoginRequest(['email' => 'ana@demo.example', 'password' => 'Demo-2026!']);
$token = (new Api\SessionApi($http, $config))->login(TENANT, $user)->getData()->getAuthorization();
$config->setAccessToken($token)->setApiKey('X-API-Key', '7a1e9c52-3f0b-4d68-9b1f-5c2d84e6a001');

$page = (new Api\InvoicesApi($http, $config))->listInvoices(TENANT, '2026-06-01', '2026-08-31');
echo $page->getMeta()->getTotal(), ' ', $page->getData()->getRows()[0]->getInvoiceId(), "\n";
try {
    $amount = new Model\AmountToCheck(['invoice_id' => '9008', 'amount' => 1250]);
    echo (new Api\DeclarationsApi($http, $config))->validateAmount(TENANT, $amount)->getData()->getAction(), "\n";
} catch (ApiException $error) {
    echo $error->getResponseObject()->getError()->getCode(), "\n";
}
