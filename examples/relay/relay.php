<?php
// The relay in PHP: mount it at /models/openai/chat/completions of your site, or try it with
// MODEL_API_KEY=… SESSION_SECRET=… php -S 127.0.0.1:8787 relay.php
// Its users are those of the cookie `session`, as signSession of tool-agent/relay makes it: user.expiry.signature. With
// sessions of PHP, replace user() with: session_start(); return $_SESSION['user'] ?? null;
const MODELS = ['gpt-5-mini'];
const MOST_BYTES = 4_000_000;

function user(): ?string {
    $isWhole = preg_match('/^([\w-]+)\.(\d+)\.([\w-]+)$/D', $_COOKIE['session'] ?? '', $parts);
    if (!$isWhole || (int) $parts[2] <= time()) return null;
    $signature = hash_hmac('sha256', "$parts[1].$parts[2]", getenv('SESSION_SECRET') ?: exit('Set SESSION_SECRET'), true);
    $text = rtrim(strtr(base64_encode($signature), '+/', '-_'), '=');
    return hash_equals($text, $parts[3]) ? $parts[1] : null;
}

function refuse(int $status, string $message): never {
    http_response_code($status);
    header('Content-Type: application/json');
    exit(json_encode(['error' => ['message' => $message]]));
}

$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if ($path !== '/models/openai/chat/completions') refuse(404, 'There is nothing here');
if ($_SERVER['REQUEST_METHOD'] !== 'POST') refuse(405, 'Expected POST');
$isOurs = in_array($_SERVER['HTTP_SEC_FETCH_SITE'] ?? '', ['', 'same-origin'], true);
if (!$isOurs) refuse(403, 'Only pages of this site may use the relay');
if (user() === null) refuse(401, 'Sign in first');
$body = file_get_contents('php://input', false, null, 0, MOST_BYTES + 1);
if ($body === '' || strlen($body) > MOST_BYTES) refuse(413, 'Expected 1 to ' . MOST_BYTES . ' bytes');
$model = json_decode($body, true)['model'] ?? null;
if ($model === null) refuse(400, 'The body must be JSON with a model');
if (!in_array($model, MODELS, true)) refuse(403, 'This model is not allowed');

$endpoint = rtrim(getenv('MODEL_ENDPOINT') ?: 'https://api.openai.com/v1', '/');
$headers = ['Content-Type: application/json', 'Authorization: Bearer ' . getenv('MODEL_API_KEY'), 'Connection: close'];
$request = ['method' => 'POST', 'header' => $headers, 'content' => $body, 'ignore_errors' => true, 'follow_location' => 0,
    'protocol_version' => 1.1, 'timeout' => 600];
$answer = @fopen("$endpoint/chat/completions", 'r', false, stream_context_create(['http' => $request]));
if ($answer === false) refuse(502, 'The model cannot be reached');
$lines = stream_get_meta_data($answer)['wrapper_data'];
$status = (int) explode(' ', $lines[0])[1];
if ($status !== 200) refuse($status, "The model answered $status"); // its text may repeat the key
foreach ($lines as $line) if (stripos($line, 'content-type:') === 0) header($line);
header('X-Accel-Buffering: no');
while (ob_get_level() > 0) ob_end_flush();
while (($line = fgets($answer)) !== false) { // an answer streams in lines; fread would wait for more
    echo $line;
    flush();
}
