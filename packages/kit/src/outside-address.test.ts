import { expect, test } from 'vitest'
import { badHeader, mayCall, type OutsideSettings, readOutsideUrl } from './outside-address.ts'

const strict: OutsideSettings = { http: false, networks: [] }
const reasonOf = (url: string, settings = strict) => {
  const read = readOutsideUrl(url, settings)
  return 'refusal' in read ? read.refusal.reason : read.url.href
}

test.each([
  'https://example.org/hook?a=1',
  'https://example.org:8443/',
  'https://93.184.215.14/',
  'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/',
  'https://[64:ff9b::5db8:d70e]/', // NAT64 of a public address
])('%s may be called', (url) => expect(reasonOf(url)).toBe(url))

const closed = `127.0.0.1 127.1 2130706433 0x7f000001 0x7f.0.0.1 0177.0.0.1 017700000001 127.0.0.1.
  １２７.0.0.1 127。0。0。1 0 0.0.0.0 169.254.169.254 0xa9fea9fe 10.0.0.1 172.16.0.1
  172.31.255.255 192.168.1.1 100.64.0.1 100.127.255.255 198.18.0.1 192.0.0.192 224.0.0.1
  239.255.255.250 255.255.255.255 240.0.0.1 [::1] [::] [::ffff:127.0.0.1]
  [::ffff:a9fe:a9fe] [0:0:0:0:0:ffff:10.0.0.1] [::127.0.0.1] [::7f00:1]
  [::ffff:0:127.0.0.1] [2002:7f00:1::] [2002:a9fe:a9fe::1] [64:ff9b::127.0.0.1]
  [64:ff9b::a9fe:a9fe] [64:ff9b:1::7f00:1] [2001:0:1::1] [fc00::1] [fd00:ec2::254]
  [fe80::1] [fec0::1] [ff02::1] [2001:db8::1] [100::1]`

test.each(closed.split(/\s+/))(
  'attack 100: https://%s/ is not public, without a look-up',
  (host) => {
    expect(reasonOf(`https://${host}/`)).toBe('not_public')
  },
)

test.each([
  ['http://example.org/', 'scheme'],
  ['file:///etc/passwd', 'scheme'],
  ['gopher://example.org/', 'scheme'],
  ['ftp://example.org/', 'scheme'],
  ['unix:/var/run/docker.sock', 'scheme'],
  ['javascript:alert(1)', 'scheme'],
  ['https://anna:secret@example.org/', 'credentials'],
  ['https://anna@example.org/', 'credentials'],
  ['https://[fe80::1%25eth0]/', 'bad_url'],
  ['https://256.1.1.1/', 'bad_url'],
  ['https://', 'bad_url'],
  ['example.org/hook', 'bad_url'],
  ['', 'bad_url'],
  [`https://example.org/${'x'.repeat(2_000)}`, 'bad_url'],
])('%s is refused: %s', (url, reason) => expect(reasonOf(url)).toBe(reason))

test('networks of the settings may be called, and nothing beside them', () => {
  const settings = { http: true, networks: ['10.1.0.0/16', '192.168.7.5', 'fd00:7::/32'] }
  for (const address of ['10.1.2.3', '192.168.7.5', 'fd00:7::5', '::ffff:10.1.2.3']) {
    expect(mayCall(address, settings)).toBe(true)
  }
  for (const address of [
    '10.2.0.1',
    '192.168.7.6',
    'fd00:8::5',
    '127.0.0.1',
    'fe80::1%eth0',
    'x',
  ]) {
    expect(mayCall(address, settings)).toBe(false)
  }
  expect(reasonOf('http://10.1.2.3/', settings)).toBe('http://10.1.2.3/')
})

test.each([
  ['Host', 'internal'],
  ['Transfer-Encoding', 'chunked'],
  ['content-length', '5'],
  ['Proxy-Authorization', 'x'],
  ['X Y', 'z'],
  ['X-Y:', 'z'],
  ['X-Y', 'z\r\nHost: internal'],
  ['X-Y', 'é'],
  ['X-Y', 'x'.repeat(4_001)],
])('attack 91: the header %s: %j is refused by its name', (name, value) => {
  expect(badHeader({ Authorization: 'Bearer x', [name]: value })).toMatchObject({
    reason: 'bad_header',
    field: `headers.${name}`,
  })
})
