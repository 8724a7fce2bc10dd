import { expect, test } from 'vitest'
import {
  isWebhookSecret,
  newWebhookSecret,
  signWebhook,
  verifyWebhook,
} from './webhook-signature.ts'

// The test vector that libraries of Standard Webhooks share.
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const message = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  at: new Date(1_614_265_330_000),
  body: '{"test": 2432232314}',
}
const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
const { body, at: now } = message

test('the signature is that of the published vector', () => {
  expect(signWebhook(message, [secret])).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': signature,
  })
  expect(signWebhook(message, [secret.slice(6)])['webhook-signature']).toBe(signature)
})

test('a receiver verifies it with the present and with the former secret', () => {
  const other = newWebhookSecret()
  const headers = signWebhook(message, [other, secret])
  for (const one of [other, secret])
    expect(verifyWebhook(headers, { body, secret: one, now })).toBe(true)
  expect(verifyWebhook(headers, { body, secret: newWebhookSecret(), now })).toBe(false)
})

const signed = signWebhook(message, [secret])
test.each([
  ['another body', signed, { body: '{"test": 2432232315}' }],
  ['six minutes later', signed, { now: new Date(now.getTime() + 360_000) }],
  ['six minutes before', signed, { now: new Date(now.getTime() - 360_000) }],
  ['another id', { ...signed, 'webhook-id': 'msg_2' }, {}],
  ['another time', { ...signed, 'webhook-timestamp': '1614265331' }, {}],
  ['a time that is none', { ...signed, 'webhook-timestamp': '1614265330.5' }, {}],
  ['another version', { ...signed, 'webhook-signature': signature.replace('v1', 'v2') }, {}],
  ['a part of the signature', { ...signed, 'webhook-signature': signature.slice(0, -2) }, {}],
  ['no signature', { ...signed, 'webhook-signature': '' }, {}],
  ['no headers', {}, {}],
])('%s is not verified', (_, headers, other) => {
  expect(verifyWebhook(headers, { body, secret, now, ...other })).toBe(false)
})

test.each([
  [newWebhookSecret(), true],
  [secret, true],
  ['whsec_c2hvcnQ=', false],
  ['whsec_not base64 not base64 not base64 not', false],
  [`whsec_${Buffer.alloc(65).toString('base64')}`, false],
  ['', false],
])('%s may sign: %s', (text, may) => {
  expect(isWebhookSecret(text)).toBe(may)
  if (!may) expect(() => signWebhook(message, [text])).toThrow('base64')
})

test('an id with a dot is not signed', () => {
  expect(() => signWebhook({ ...message, id: 'msg.1614265330' }, [secret])).toThrow('id')
})
