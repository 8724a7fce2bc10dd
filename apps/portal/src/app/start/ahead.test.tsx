import { afterEach, expect, test } from 'vitest'
import { askAhead } from './ahead.ts'

const before = globalThis.fetch
afterEach(() => {
  globalThis.fetch = before
})

const claims = {
  authorization: { permissions: [{ rsname: 'acme', scopes: ['iam.portal.access'] }] },
}

test('nothing is asked ahead in an organization that the token does not name', () => {
  const asked = answer()
  expect(askAhead('/devices/one', { org: 'other', claims })).toBeUndefined()
  expect(asked).toEqual([])
})

const withDevices = {
  authorization: {
    permissions: [{ rsname: 'acme', scopes: ['iam.portal.access', 'iam.devices.read'] }],
  },
}

/** Answer every call; the addresses that are called from now on. A late call of an earlier test is among them. */
function answer() {
  const asked: string[] = []
  globalThis.fetch = async (input) => {
    asked.push(input instanceof Request ? input.url : String(input))
    return Response.json([])
  }
  return asked
}

test('the calls of a device page start before the portal stands, in the organization of the tab', async () => {
  const asked = answer()
  expect(askAhead('/devices/7', { org: 'acme', claims: withDevices })?.org).toBe('acme')
  await expect.poll(() => asked.some((url) => /devices\/7/.test(url))).toBe(true)
  expect(asked.filter((url) => url.includes('/other'))).toEqual([])
})

test('without the permission of the page no call of it starts', async () => {
  const asked = answer()
  const begun = askAhead('/devices/8', { org: 'acme', claims })
  await begun?.language
  await new Promise((done) => setTimeout(done, 200))
  expect(asked.filter((url) => /devices\/8/.test(url))).toEqual([])
})

test('a malformed escape in the path is no fault', () => {
  answer()
  expect(() => askAhead('/devices/%E0%A4%A', { org: 'acme', claims })).not.toThrow()
})
