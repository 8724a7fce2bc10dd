import { expect, test } from 'vitest'
import { identityLimitMs, inTime, timeoutMs } from './timeouts.ts'

test.for([
  ['GET', '/svc/core/api/v1/organizations/mine', 90],
  ['GET', '/svc/core/api/v1/organizations/loginInfo?hostname=x', 30],
  ['POST', '/svc/mappings/api/v1/models?organization=x', 300],
  ['PUT', '/svc/mappings/api/v1/presets/5', 300],
  ['POST', '/svc/mappings/api/v1/models/search', 30],
  ['GET', '/svc/mappings/api/v1/models', 30],
  ['POST', '/svc/platform/api/v1/devices/tags/query', 30],
] as const)('%s %s has %i s [N-01]', ([method, path, seconds]) => {
  expect(timeoutMs(method, path)).toBe(seconds * 1_000)
})

test('what the adapter of identity asks fails when it takes longer than 30 s [N-01]', async () => {
  expect(identityLimitMs).toBe(30_000)
  const never = new Promise<string>(() => undefined)
  await expect(inTime(never, 1)).rejects.toMatchObject({ name: 'TimeoutError' })
  expect(await inTime(Promise.resolve('in time'), 60_000)).toBe('in time')
  await expect(inTime(Promise.reject(new Error('refused')), 60_000)).rejects.toThrow('refused')
})
