/** Parameters of an answer; a redirect address that brings its own could pass for one. */
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

/** What browsers and servers read differently: control characters, blanks, backslashes. */
const ambiguous = /[\s\\\p{Cc}]/u
/** `;` parameters, and encoded dots, slashes, backslashes, percent signs and controls in a path. */
const trickyPath = /;|%(?:2e|2f|5c|25|[01][0-9a-f]|7f)/i

/** The address, if it is one that may be compared at all: parsed once, without tricks. */
function plainUrl(address: string): URL | undefined {
  if (address.length > 4096 || ambiguous.test(address)) return undefined
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  // What stands before the path must be what the parser made of it: no user, no other spelling.
  if (!address.toLowerCase().startsWith(`${url.origin}/`) && address !== url.origin) {
    return undefined
  }
  const [path = ''] = address.slice(url.origin.length).split(/[?#]/)
  if (trickyPath.test(path) || path.split('/').some((part) => part === '.' || part === '..')) {
    return undefined
  }
  // Clients read the whole fragment as a query, whatever stands before it.
  const fragment = new URLSearchParams(url.hash.replaceAll(/[#/?]/g, '&'))
  if (answerParameters.some((name) => url.searchParams.has(name) || fragment.has(name))) {
    return undefined
  }
  return url
}

/** Any address below an origin; the origin itself too. */
export function isBelow(address: string, origin: string) {
  const url = plainUrl(address)
  return url !== undefined && url.origin === new URL(origin).origin
}
