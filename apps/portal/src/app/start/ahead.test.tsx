import { afterEach, expect, test } from 'vitest'
import { askAhead } from './ahead.ts'

const asked: string[] = []
const before = globalThis.fetch
afterEach(() => {
  globalThis.fetch = before
  asked.length = 0
})

const claims = {
  authorization: { permissions: [{ rsname: 'acme', scopes: ['iam.portal.access'] }] },
}

test('nothing is asked ahead in an organization that the token does not name', () => {
  globalThis.fetch = async (input) => {
    asked.push(String(input))
    return Response.json([])
  }
  expect(askAhead('/devices/one', { org: 'other', claims })).toBeUndefined()
  expect(asked).toEqual([])
})

const withDevices = {
  authorization: {
    permissions: [{ rsname: 'acme', scopes: ['iam.portal.access', 'iam.devices.read'] }],
  },
}

function answer() {
  globalThis.fetch = async (input) => {
    asked.push(input instanceof Request ? input.url : String(input))
    return Response.json([])
  }
}

test('the calls of a device page start before the portal stands, in the organization of the tab', async () => {
  answer()
  expect(askAhead('/devices/7', { org: 'acme', claims: withDevices })?.org).toBe('acme')
  await expect.poll(() => asked.some((url) => /devices\/7/.test(url))).toBe(true)
  expect(asked.filter((url) => url.includes('/other'))).toEqual([])
})

test('without the permission of the page no call of it starts', async () => {
  answer()
  const begun = askAhead('/devices/7', { org: 'acme', claims })
  await begun?.language
  await new Promise((done) => setTimeout(done, 200))
  expect(asked.filter((url) => /devices/.test(url))).toEqual([])
})

test('a malformed escape in the path is no fault', () => {
  answer()
  expect(() => askAhead('/devices/%E0%A4%A', { org: 'acme', claims })).not.toThrow()
})
