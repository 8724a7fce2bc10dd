import { isIP } from 'node:net'
import { isAmong } from './network-of.ts'

/** Setting for calls to addresses that people give. */
export type OutsideSettings = {
  /** Calls without TLS are allowed. */
  http: boolean
  /** Networks that may be called although they are not public: `10.0.0.0/8`, `fd00::/8`. */
  networks: readonly string[]
}

/** Cause for which an address may not be called. */
type AddressFault =
  | 'bad_url'
  | 'scheme' // neither https nor, where it is allowed, http
  | 'credentials' // in the address, where they would be logged
  | 'not_public'

/** Refusal of a request before anything is sent; `field` is its part. */
export type OutsideRefusal = { reason: AddressFault | 'bad_header'; field: string; message: string }

const words = (text: string) => text.split(/\s+/)

/**
 * Networks that are not public (IANA, special-purpose address registries), or whose addresses contain one of
 * IPv4 that may be any (6to4, Teredo).
 */
const closed = words(`0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12
  192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24
  203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 2001::/23 2001:db8::/32 2002::/16 3fff::/20`)

/** Networks outside of which no address is public. */
const open = ['0.0.0.0/0', '2000::/3']

/** True for an address that may be called: a public one, or one in a network of the settings. */
export function mayCall(address: string, { networks }: Pick<OutsideSettings, 'networks'>) {
  const real = behind(address)
  return isAmong(networks, real) || (isAmong(open, real) && !isAmong(closed, real))
}

/**
 * Address that packets to this one reach: that of IPv4 within one of IPv6, where the system (mapped) or a gateway
 * (NAT64) translates it.
 */
function behind(address: string) {
  if (isIP(address) !== 6) return address
  const groups = groupsOf(address)
  const isMapped = groups.slice(0, 5).every((one) => one === 0) && groups[5] === 0xffff
  const isTranslated =
    groups[0] === 0x64 && groups[1] === 0xff9b && groups.slice(2, 6).every((one) => one === 0)
  if (!isMapped && !isTranslated) return address
  const [high = 0, low = 0] = groups.slice(6)
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** The eight numbers of an address of IPv6. */
function groupsOf(address: string) {
  const zone = address.indexOf('%')
  const plain = zone === -1 ? address : address.slice(0, zone)
  // As part of a URL it is written without dots.
  const [head = '', tail] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::')
  const [left, right] = [head, tail ?? ''].map((part) =>
    part.split(':').filter((one) => one !== ''),
  )
  const zeros = 8 - (left?.length ?? 0) - (right?.length ?? 0)
  const texts = [...(left ?? []), ...Array.from({ length: zeros }, () => '0'), ...(right ?? [])]
  return texts.map((text) => parseInt(text, 16))
}

/** Address of IPv4 or IPv6 in a URL, in whatever form it was written; undefined for a name. */
export function literalOf({ hostname }: URL) {
  const plain = hostname.replace(/^\[|\]$/g, '')
  return isIP(plain) === 0 ? undefined : plain
}

const longestUrl = 2_000
type Refused = { refusal: OutsideRefusal }

/** URL that a person gave, judged by its text alone: nothing is looked up. */
export function readOutsideUrl(text: string, settings: OutsideSettings): { url: URL } | Refused {
  const url = text.length <= longestUrl ? URL.parse(text) : null
  if (!url) return refuse('bad_url', 'must be an address such as https://example.org/path')
  if (url.protocol !== 'https:' && !(settings.http && url.protocol === 'http:')) {
    return refuse('scheme', `must begin with https://${settings.http ? ' or http://' : ''}`)
  }
  if (url.username !== '' || url.password !== '') {
    return refuse('credentials', 'must not contain a user name or password')
  }
  const literal = literalOf(url)
  return literal === undefined || mayCall(literal, settings) ? { url } : notPublic
}

const refuse = (reason: AddressFault, must: string): Refused => ({
  refusal: { reason, field: 'url', message: `url ${must}` },
})

/** Refusal of an address that leads into a network which is not public; it does not say into which. */
export const notPublic = refuse(
  'not_public',
  'must lead to a public address, or into a network in OUTSIDE_ALLOWED_NETWORKS',
)

/** Headers that belong to the connection or to the body. */
const ownHeaders = new Set(
  words('connection content-length expect host keep-alive te trailer transfer-encoding upgrade'),
)

/** Refusal of headers that a person gave; undefined when all are good. */
export function badHeader(headers: Record<string, string>): OutsideRefusal | undefined {
  const wrong = Object.entries(headers).find(
    ([name, value]) =>
      !/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(name) ||
      ownHeaders.has(name.toLowerCase()) ||
      name.toLowerCase().startsWith('proxy-') ||
      !/^[\t\x20-\x7e]{0,4000}$/.test(value),
  )
  if (!wrong) return undefined
  const field = `headers.${wrong[0]}`
  return { reason: 'bad_header', field, message: `${field} cannot be sent as a header` }
}
