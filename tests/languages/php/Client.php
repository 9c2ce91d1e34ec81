<?php

declare(strict_types=1);

namespace Acme\Http;

use Psr\Log\LoggerInterface;
use function sprintf;

const TIMEOUT = 30, RETRIES = 3;
define('ACME_DEBUG', false);

/**
 * Sends requests.
 *
 * @template T of object
 */
#[AsService]
final class Client extends Base implements ClientInterface, \Countable
{
    use LoggerAwareTrait, Retries;

    public const VERSION = '7.0';
    private const A = 1, B = 2;

    /** @var array<string, mixed> */
    private array $config = [];
    private static ?self $instance = null, $other;
    public readonly string $base;
    public string $url {
        get => $this->base;
    }

    /**
     * Make a client.
     * @param array $config Settings
     */
    public function __construct(
        private LoggerInterface $logger,
        protected readonly string $agent = 'acme',
        int $retries = 3,
    ) {
        $local = 1;
    }

    #[Pure]
    public function get(string $uri, array $options = []): Response
    {
        $send = function (Request $request) use ($options) {
            return $request;
        };
        $double = fn(int $x): int => $x * 2;
        return $send($uri);
    }

    public static function create(): static
    {
        return new static();
    }

    abstract protected function &handle(int ...$codes): ?string;

    public function __call($method, $args) { }
}

interface ClientInterface
{
    const DEFAULT = 1;

    public function get(string $uri, array $options = []): Response;
}

trait Retries
{
    protected $attempts = 0;

    public function retry(callable $fn) { return $fn(); }
}

// What may happen.
enum Status: string
{
    case Active = 'active';
    case Gone = 'gone';

    const DEFAULT = self::Active;

    public function label(): string
    {
        return ucfirst($this->value);
    }
}

/** Describe a thing. */
function describe($input): string
{
    static $calls = 0;
    return gettype($input);
}

if (!function_exists('helper')) {
    function helper() {}
}

$handler = static function ($request) {
    return null;
};
$square = fn($x) => $x ** 2;
$listener = new class extends Client {
    public function notify() {}
};

abstract readonly class Shape
{
    abstract public function area(): float;
}
