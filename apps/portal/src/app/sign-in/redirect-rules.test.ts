import { expect, test } from 'vitest'
import { fromHashLink, localClientUrl, safeRedirect } from './redirect-rules.ts'

const origin = 'https://portal.example'

test.for(['/devices', '/devices?x=1#part', '/a//b'])('%s stays inside', (path) => {
  expect(safeRedirect(path, origin)).toEqual({ kind: 'inside', path })
})

test.for([
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  'https://evil.example/',
  'https://portal.example@evil.example/',
  'http://localhost.evil.example/',
  'http://localhost@evil.example/',
  'http://user:pass@localhost/',
  'https://localhost/',
  'javascript:alert(1)',
  'data:text/html,x',
  'devices',
  '',
])('%j is refused', (wish) => {
  expect(safeRedirect(wish, origin)).toBeUndefined()
})

test('the local client gets the organization after its own query', () => {
  const target = safeRedirect('http://localhost:8081/selectOrgCallback/?a=b', origin)
  expect(target?.kind).toBe('local-client')
  if (target?.kind !== 'local-client') return
  const url = new URL(localClientUrl(target.url, { name: 'nord,werk', id: 7 }))
  expect(url.searchParams.get('a')).toBe('b')
  expect(url.searchParams.get('org')?.split(',')[1]).toBe('7')
})

test('an old hash link is forwarded, and not outside', () => {
  expect(fromHashLink('#/devices?x=1', origin)).toBe('/devices?x=1')
  expect(fromHashLink('#state=1&code=2', origin)).toBeUndefined()
  expect(fromHashLink('#//evil.example', origin)).toBeUndefined()
})
