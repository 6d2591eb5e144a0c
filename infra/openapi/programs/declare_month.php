<?php
const API = 'http://127.0.0.1:3000/apidev/v1';
const USER = ['email' => 'nadia@demo.example', 'password' => 'Demo-2026!'];
const PAGE = 100;
const BATCH = 100;
const HEADERS = [
    'tenant: demo.example',
    'X-API-Key: 7a1e9c52-3f0b-4d68-9b1f-5c2d84e6a001',
    'Content-Type: application/json',
];
$token = '';

function send(string $method, string $path, ?array $body = null): array
{
    global $token;
    $newLogin = $path === '/login';
    foreach ([1, 2, 4, 8, null] as $seconds) {
        $curl = curl_init(API . $path);
        curl_setopt_array($curl, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => [...HEADERS, "Authorization: Bearer $token"],
            CURLOPT_POSTFIELDS => $body === null ? '' : json_encode($body),
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT => 30,
            CURLOPT_HEADERFUNCTION => function ($_, string $line) use (&$retryAfter): int {
                if (stripos($line, 'Retry-After:') === 0) $retryAfter = (int) substr($line, 12);
                return strlen($line);
            },
        ]);
        $response = json_decode((string) curl_exec($curl), true);
        $status = $response === null ? 503 : curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        if ($response['success'] ?? false) return $response;
        if ($status === 401 && !$newLogin) {
            logIn();
            $newLogin = true;
        } elseif (in_array($status, [429, 500, 503]) && $seconds !== null) {
            sleep($status === 429 ? $retryAfter : $seconds);
        } else {
            fwrite(STDERR, "$method $path: " . json_encode($response['error'] ?? curl_error($curl)) . "\n");
            exit(1);
        }
    }
}

function logIn(): void
{
    $GLOBALS['token'] = send('POST', '/login', USER)['data']['authorization'];
}

function pending(string $first, string $last): array
{
    $query = ['startdate' => $first, 'enddate' => $last, 'status' => 'PEN', 'limit' => PAGE];
    $rows = [];
    do {
        $page = send('GET', '/supplier-portal/invoices?' . http_build_query($query + ['offset' => count($rows)]));
        $rows = [...$rows, ...$page['data']['rows']];
    } while ($page['data']['rows'] && count($rows) < $page['meta']['total']);
    return $rows;
}

function readCsv(string $path): array
{
    $rows = array_map(fn ($line) => str_getcsv($line, ',', '"', ''), file($path, FILE_IGNORE_NEW_LINES));
    return array_map(fn ($row) => ['invoice_id' => $row[0], 'amount' => (float) $row[1]], array_slice($rows, 1));
}

logIn();
if (isset($argv[1])) {
    $invoices = readCsv($argv[1]);
} else {
    // Read all pages first: declared invoices leave this list.
    $rows = pending('2026-08-01T00:00:00-03:00', '2026-08-31T23:59:59-03:00');
    $invoices = array_map(fn ($row) => ['invoice_id' => $row['invoice_id'], 'amount' => $row['system_amount']], $rows);
}
$declared = 0;
foreach (array_chunk($invoices, BATCH) as $batch) {
    $outcome = send('POST', '/supplier-portal/invoices/declare-batch', ['declarations' => $batch])['data'];
    $declared += $outcome['accepted'];
    foreach ($outcome['results'] as $result) {
        ['invoice_id' => $id, 'success' => $success] = $result;
        if (!$success) echo "$id {$result['error']['code']} {$result['error']['message']}\n";
    }
}
echo $declared, ' of ', count($invoices), " invoices declared\n";
