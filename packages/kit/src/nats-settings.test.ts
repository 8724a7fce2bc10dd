import { expect, test } from 'vitest'
import { NatsEnvironment, natsOf } from './nats-settings.ts'

const settings = (env: Record<string, string>) => natsOf(NatsEnvironment.parse(env))

test('without an address there is no NATS', () => {
  expect(settings({})).toBeUndefined()
})

test('scheme and user of the first address hold for all', () => {
  expect(
    settings({ NATS_URL: 'nats://lr:p%40ss%2C@10.0.0.1:4223,b.example.org,[::1]:4224' }),
  ).toEqual({
    servers: [
      { host: '10.0.0.1', port: 4223 },
      { host: 'b.example.org', port: 4222 },
      { host: '::1', port: 4224 },
    ],
    user: { name: 'lr', password: 'p@ss,' },
  })
  expect(settings({ NATS_URL: 'nats://token@a' })).toMatchObject({ user: { name: 'token' } })
})

test('tls:// has its files', () => {
  const files = { NATS_CA_FILE: 'ca', NATS_CERT_FILE: 'cert', NATS_KEY_FILE: 'key' }
  expect(settings({ NATS_URL: 'tls://a,b', ...files, NATS_CREDS_FILE: 'creds' })).toEqual({
    servers: [
      { host: 'a', port: 4222 },
      { host: 'b', port: 4222 },
    ],
    tls: { caFile: 'ca', certFile: 'cert', keyFile: 'key' },
    credsFile: 'creds',
  })
  expect(settings({ NATS_URL: 'tls://a' })).toMatchObject({ tls: {} })
})

test.each([
  [{ NATS_URL: 'nats://a,tls://b' }, 'one scheme'],
  [{ NATS_URL: 'nats://x:y@a,nats://x:z@b' }, 'one user'],
  [{ NATS_URL: 'nats://a,x:z@b' }, 'one user'],
  [{ NATS_URL: 'nats://a:port' }, 'cannot be read'],
  [{ NATS_URL: 'nats://a', NATS_CA_FILE: 'ca' }, 'need tls://'],
  [{ NATS_URL: 'tls://a', NATS_CERT_FILE: 'cert' }, 'NATS_KEY_FILE'],
  [{ NATS_URL: 'nats://x:y@a', NATS_CREDS_FILE: 'creds' }, 'NATS_CREDS_FILE'],
])('%o is refused', (env, wrong) => {
  expect(settings(env)).toEqual({ wrong: expect.stringContaining(wrong) as string })
})

test.each(['http://a', 'a:4222', 'nats://', 'nats://a/path', 'nats://a, b', 'ws://a'])(
  '%s is no NATS_URL',
  (url) => {
    expect(() => settings({ NATS_URL: url })).toThrow('NATS_URL must be addresses')
  },
)
