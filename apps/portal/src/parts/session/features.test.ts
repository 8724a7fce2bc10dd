import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { chooseFeatures, enableFeature, featuresOffered, featuresOn } from './features.ts'

let kept: Map<string, string>
let reloads: number
beforeEach(() => {
  kept = new Map()
  reloads = 0
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
  })
  vi.stubGlobal('window', { location: { reload: () => reloads++ } })
})
afterEach(() => vi.unstubAllGlobals())

test('a feature that is switched on stays on in this browser, without a reload', () => {
  expect(featuresOn()).not.toContain('highFreq')
  enableFeature('highFreq')
  expect(featuresOn()).toContain('highFreq')
  expect(reloads).toBe(0)
})

test('exactly the chosen ones are on after the page loaded again', () => {
  enableFeature('structs')
  chooseFeatures(['highFreq', 'ipFilter'])
  expect(featuresOn()).toEqual(['highFreq', 'ipFilter'])
  expect(reloads).toBe(1)
  chooseFeatures([])
  expect(featuresOn()).toEqual([])
})

test('an operator takes features away, whatever the browser remembers', async () => {
  vi.stubGlobal('fetch', async () =>
    Response.json({ features: { forbidden: ['highFreq'], enabled: ['structs'] } }),
  )
  vi.resetModules()
  const fresh = await import('./features.ts')
  fresh.enableFeature('highFreq')
  await fresh.loadFeatures()
  expect(fresh.featuresOffered()).not.toContain('highFreq')
  expect(fresh.featuresOn()).toEqual(['structs'])
  expect(featuresOffered()).toContain('highFreq')
})
