<?php
const API = 'http://127.0.0.1:3000/apidev/v1';
const USER = ['email' => 'nadia@demo.example', 'password' => 'Demo-2026!'];
const PAGE = 100;
const RANGES = 4;
// The first run, without this file, prints all invoices of the year.
const SINCE = 'changed_since.txt';
const HEADERS = [
    'tenant: demo.example',
    'X-API-Key: 7a1e9c52-3f0b-4d68-9b1f-5c2d84e6a001',
    'Content-Type: application/json',
];
$token = '';

function send(string $method, string $path, ?array $body = null): array
{
    $retryAfter = 0;
    $curl = curl_init(API . $path);
    curl_setopt_array($curl, [
        CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_HTTPHEADER => [...HEADERS, "Authorization: Bearer {$GLOBALS['token']}"],
        CURLOPT_POSTFIELDS => $body === null ? '' : json_encode($body),
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 30,
        CURLOPT_HEADERFUNCTION => function ($_, string $line) use (&$retryAfter): int {
            if (stripos($line, 'Retry-After:') === 0) $retryAfter = (int) substr($line, 12);
            return strlen($line);
        },
    ]);
    $response = json_decode((string) curl_exec($curl), true);
    if (curl_getinfo($curl, CURLINFO_RESPONSE_CODE) === 429) {
        sleep($retryAfter);
        return send($method, $path, $body);
    }
    if ($response['success'] ?? false) return $response;
    // The next run asks for the same changes again.
    fwrite(STDERR, "$method $path: " . json_encode($response['error'] ?? curl_error($curl)) . "\n");
    exit(1);
}

function changed(string $first, string $last, ?string $since): iterable
{
    $query = ['startdate' => $first, 'enddate' => $last, 'changed_since' => $since, 'limit' => PAGE];
    // Pages overlap: if the company withdraws an invoice, the invoices after it move up.
    for ($offset = 0, $total = 1; $offset < $total; $offset += PAGE - 10) {
        $page = send('GET', '/supplier-portal/invoices?' . http_build_query($query + ['offset' => $offset]));
        foreach ($page['data']['rows'] as $row) yield $row;
        $total = $page['meta']['total'];
    }
}

$started = time();
$since = file_exists(SINCE) ? file_get_contents(SINCE) : null;
$token = send('POST', '/login', USER)['data']['authorization'];
$invoices = [];
$last = $started + 86400;
for ($range = 0; $range < RANGES; $range++) {
    $first = $last - 92 * 86400;
    foreach (changed(gmdate('Y-m-d', $first), gmdate('Y-m-d', $last), $since) as $row) {
        $invoices[$row['invoice_id']] = $row;
    }
    $last = $first - 86400;
}
foreach ($invoices as $id => $row) {
    echo "$id {$row['state_code']} {$row['system_amount']} {$row['declared_amount']}\n";
    if (!in_array($row['state_code'], ['REC', 'AJU'])) continue;
    // The newest change says why, and which amount is paid.
    foreach (send('GET', "/supplier-portal/invoices/$id/history?limit=1")['data'] as $change) {
        echo "  {$change['approved_amount']} {$change['message']}\n";
    }
}
file_put_contents(SINCE, gmdate('Y-m-d\TH:i:s\Z', $started - 60));
