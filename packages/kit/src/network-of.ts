import { BlockList, isIP } from 'node:net'

/** Network that belongs to one customer: the whole IPv4 address, or the /64 of an IPv6 address. */
export function networkOf(address: string) {
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (v4 !== undefined) return v4
  const [plain = ''] = address.split('%')
  const [head = '', tail] = plain.split('::')
  const left = head.split(':').filter(Boolean)
  const right = (tail ?? '').split(':').filter(Boolean)
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...right]
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
    .join(':')
}

/** Matches an address against a list such as `203.0.113.7`, `10.0.0.0/8`, `2001:db8::/32`. */
export function isAmong(allowed: readonly string[], ip: string) {
  const plain = ip.replace(/^::ffff:(?=\d+\.)/i, '')
  if (isIP(plain) === 0) return false // work without a request has no address
  return listOf(allowed).check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4')
}

const lists = new WeakMap<readonly string[], BlockList>()

function listOf(allowed: readonly string[]) {
  const known = lists.get(allowed)
  if (known) return known
  const list = new BlockList()
  for (const one of allowed) {
    const [address = '', bits] = one.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  lists.set(allowed, list)
  return list
}
