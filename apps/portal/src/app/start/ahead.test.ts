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
