/**
 * Parameters of an authorization response; a redirect address with one of them could be taken for a
 * response.
 */
const answerParameters = [
  'code',
  'state',
  'session_state',
  'iss',
  'error',
  'error_description',
  'error_uri',
  'id_token',
  'access_token',
  'response',
]

/** Characters that browsers and servers parse differently: control characters, blanks, backslashes. */
const ambiguous = /[\s\\\p{Cc}]/u
/**
 * Path with `;` parameters, or with encoded dots, slashes, backslashes, percent signs or control
 * characters.
 */
const trickyPath = /;|%(?:2e|2f|5c|25|[01][0-9a-f]|7f)/i

/** Parsed address; undefined for one that parsers may read differently or that could pass for a response. */
function plainUrl(address: string): URL | undefined {
  if (address.length > 4096 || ambiguous.test(address)) return undefined
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  // The part before the path must equal the parsed origin: no user, no other spelling.
  if (!address.toLowerCase().startsWith(`${url.origin}/`) && address !== url.origin) {
    return undefined
  }
  const [path = ''] = address.slice(url.origin.length).split(/[?#]/)
  if (trickyPath.test(path) || path.split('/').some((part) => part === '.' || part === '..')) {
    return undefined
  }
  // Clients read the whole fragment as a query, with any text in front of it.
  const fragment = new URLSearchParams(url.hash.replaceAll(/[#/?]/g, '&'))
  if (answerParameters.some((name) => url.searchParams.has(name) || fragment.has(name))) {
    return undefined
  }
  return url
}

/** Test that an address is an origin or below it. */
export function isBelow(address: string, origin: string) {
  const url = plainUrl(address)
  return url !== undefined && url.origin === new URL(origin).origin
}
