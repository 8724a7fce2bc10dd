import type { Caller } from '@longreach/kit/service'
import { expect, test } from 'vitest'
import { cachedAuthorizer } from './authorizer.ts'

const anna: Caller = { kind: 'user', sub: 'anna', username: 'anna', realm: 'nordwerk' }
const admission = {
  organization: {
    id: 1,
    resourceId: 'nordwerk',
    name: 'nordwerk',
    label: 'Nordwerk',
    realm: 'nordwerk',
    dataEnabled: true,
    vpnEnabled: true,
  },
  capability: { grants: { devices: 1 }, deviceGroups: [] },
  below: false,
}

function asked(answer: () => Response) {
  const urls: string[] = []
  let clock = 0
  const fetch = async (url: unknown) => {
    urls.push(String(url))
    return answer()
  }
  const authorizer = cachedAuthorizer(fetch, () => clock)
  return { urls, ...authorizer, wait: (ms: number) => (clock += ms) }
}

test('an answer is kept, forgotten when a right changes, and never older than five seconds', async () => {
  const { admit, forget, urls, wait } = asked(() => Response.json(admission))
  expect(await admit(anna, 'nordwerk')).toEqual(admission)
  await admit(anna, 'nordwerk')
  expect(urls).toHaveLength(1)
  forget()
  await admit(anna, 'nordwerk')
  expect(urls).toHaveLength(2)
  wait(5_000)
  await admit(anna, 'nordwerk')
  expect(urls).toHaveLength(3)
})

test('not a member is an answer; a failure is not kept', async () => {
  const error = { statusCode: 404, error: '', code: 'core.not_found', message: '', details: {} }
  expect(await asked(() => Response.json(error, { status: 404 })).admit(anna, 'x')).toBeUndefined()
  let down = true
  const flaky = asked(() => (down ? new Response('', { status: 503 }) : Response.json(admission)))
  await expect(flaky.admit(anna, 'nordwerk')).rejects.toMatchObject({ status: 503 })
  down = false
  expect(await flaky.admit(anna, 'nordwerk')).toEqual(admission)
})

test('only people are members', async () => {
  const { admit, urls } = asked(() => Response.json(admission))
  expect(await admit({ ...anna, kind: 'service' }, 'nordwerk')).toBeUndefined()
  expect(urls).toEqual([])
})
