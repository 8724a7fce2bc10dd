import { beforeEach, expect, test, vi } from 'vitest'
import { lastUsed, rememberUse } from '../../app/switcher/recent-organizations.ts'
import { knownZones, usualZone, weekStartOf, zoneFrom } from '../look/time-zone.ts'
import { startPageOf } from '../look/start-page.ts'
import { inBrowser, inTab } from './remembered.ts'

const storage = () => {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  }
}
beforeEach(() => {
  vi.stubGlobal('localStorage', storage())
  vi.stubGlobal('sessionStorage', storage())
  return () => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  }
})

test('what a tab keeps can be taken once', () => {
  inTab.set('deepLink', '/devices')
  expect(inTab.get('deepLink')).toBe('/devices')
  expect(inTab.take('deepLink')).toBe('/devices')
  expect(inTab.take('deepLink')).toBeUndefined()
})

test('several things that a tab keeps are dropped together, the others stay', () => {
  inTab.set('scope', 'org:a')
  inTab.set('realm', 'nordwerk')
  inTab.drop('scope', 'deepLink')
  expect([inTab.get('scope'), inTab.get('realm')]).toEqual([undefined, 'nordwerk'])
})

test('choices come back as they were, also false and nothing', () => {
  inBrowser.set('open', false)
  inBrowser.set('zone', null)
  expect(inBrowser.get('open', true)).toBe(false)
  expect(inBrowser.get<string | null>('zone', 'UTC')).toBeNull()
  expect(inBrowser.get('never', 7)).toBe(7)
})

test('what another program wrote under our key is as if nothing was kept', () => {
  localStorage.setItem('longreach.numbers', 'not json')
  expect(inBrowser.get('numbers', 'auto')).toBe('auto')
})

test('the twelve organizations that were entered last are remembered, the newest time of each', () => {
  vi.useFakeTimers()
  for (let at = 1; at <= 14; at += 1) {
    vi.setSystemTime(at)
    rememberUse(`org${at}`)
  }
  vi.setSystemTime(20)
  rememberUse('org5')
  expect(Object.keys(lastUsed())).toHaveLength(12)
  expect(lastUsed()).toMatchObject({ org5: 20, org14: 14 })
  expect(lastUsed()).not.toHaveProperty('org2')
})

test('a zone of an address counts when it exists, in whatever letters; else the usual one', () => {
  inBrowser.set('zone', 'Asia/Tokyo')
  expect(usualZone()).toBe('Asia/Tokyo')
  expect(zoneFrom('europe/rome')).toBe('Europe/Rome')
  expect(zoneFrom('Mars/Olympus')).toBe('Asia/Tokyo')
  expect(zoneFrom(undefined)).toBe('Asia/Tokyo')
})

test('UTC is the first of the zones that can be chosen, and is there once', () => {
  const zones = knownZones()
  expect(zones[0]).toBe('UTC')
  expect(zones.filter((zone) => zone === 'UTC')).toHaveLength(1)
  expect(zones).toContain('Europe/Berlin')
})

test('weeks start as in the country of the locale', () => {
  expect(['de-DE', 'en-US', 'it', 'ar-EG'].map(weekStartOf)).toEqual([1, 7, 1, 6])
})

test('a start page that this version does not know is none', () => {
  expect([undefined, 'OVERVIEW', 'DASHBOARD', ''].map(startPageOf)).toEqual([
    undefined,
    'OVERVIEW',
    undefined,
    undefined,
  ])
})
