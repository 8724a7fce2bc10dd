import { expect, test } from 'vitest'
import { timeoutMs } from './timeouts.ts'

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
