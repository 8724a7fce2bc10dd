import type Keycloak from 'keycloak-js'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerCalls, refusedWith } from '../../parts/api/calls-testing.ts'
import type { Identity } from '../session/identity.ts'
import { pendingAgreements } from './pending-agreements.ts'

const call = 'GET /svc/core/api/v1/agreements/last'
const agreement = (id: number, acceptedAt: string | null) => ({ id, acceptedAt, mandatory: true })
let addresses: string[]
let went: string[]
beforeEach(() => {
  addresses = []
  went = []
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
  })
  vi.stubGlobal('location', {
    origin: 'https://portal.example',
    assign: (path: string) => went.push(path),
  })
  vi.stubGlobal('history', {
    replaceState: (...[, , address]: [unknown, string, string]) => addresses.push(address),
  })
})
afterEach(() => vi.unstubAllGlobals())

const identityOf = (claims: object = {}, sessionId = 's1') => {
  const keycloak = { sessionId, tokenParsed: claims } as unknown as Keycloak // what is read of it
  const place = { url: '', realm: 'nordwerk', external: false, scopeFor: () => undefined }
  return { keycloak, realm: 'nordwerk', place } satisfies Identity
}

test('who has not accepted everything is asked, and goes on where they wanted to go', async () => {
  const asked = answerCalls({
    [call]: () => [agreement(1, null), agreement(2, '2026-01-01T00:00:00Z')],
    'POST /svc/core/api/v1/agreements/accept': () => undefined,
  })
  const pending = await pendingAgreements(identityOf(), '/devices?q=oven')
  expect(pending?.agreements.map(({ id }) => id)).toEqual([1])
  expect(pending?.reading).toBe(false)
  expect(addresses).toEqual(['/agreements?redirectTo=%2Fdevices%3Fq%3Doven'])
  await pending?.accept([1])
  expect(asked.at(-1)?.body).toEqual({ ids: [1] })
  pending?.goOn()
  expect(went).toEqual(['/devices?q=oven'])
})

test('one session is asked once; the next one again', async () => {
  const asked = answerCalls({ [call]: () => [agreement(1, '2026-01-01T00:00:00Z')] })
  expect(await pendingAgreements(identityOf(), '/')).toBeUndefined()
  expect(await pendingAgreements(identityOf(), '/')).toBeUndefined()
  expect(asked).toHaveLength(1)
  await pendingAgreements(identityOf({}, 's2'), '/')
  expect(asked).toHaveLength(2)
})

test('who went on without accepting what is optional is not asked again in this session', async () => {
  const asked = answerCalls({ [call]: () => [agreement(1, null)] })
  const pending = await pendingAgreements(identityOf(), '/')
  pending?.goOn()
  expect(await pendingAgreements(identityOf(), '/')).toBeUndefined()
  expect(asked).toHaveLength(1)
})

test('who comes to read finds all of them, though nothing is open', async () => {
  answerCalls({ [call]: () => [agreement(1, '2026-01-01T00:00:00Z')] })
  const pending = await pendingAgreements(
    identityOf(),
    '/agreements?redirectTo=https%3A%2F%2Fevil.example%2F',
  )
  expect(pending).toMatchObject({ reading: true })
  expect(pending?.agreements).toHaveLength(1)
  pending?.goOn()
  expect(went).toEqual(['/home'])
})

test('who acts as somebody else does not agree in their place', async () => {
  const asked = answerCalls({ [call]: () => [agreement(1, null)] })
  const identity = identityOf({ impersonator: { sub: 'admin' } })
  expect(await pendingAgreements(identity, '/')).toBeUndefined()
  expect(asked).toEqual([])
})

test('agreements that cannot be read keep nobody from work', async () => {
  answerCalls({ [call]: () => refusedWith(503, 'database.away') })
  expect(await pendingAgreements(identityOf(), '/devices')).toBeUndefined()
  expect(went).toEqual([])
})
