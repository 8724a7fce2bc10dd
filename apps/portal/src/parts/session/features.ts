import { useSyncExternalStore } from 'react'
import {
  type FeatureName,
  type FeatureSettings,
  isFeatureOn,
  offeredFeatures,
} from './feature-rules.ts'
import { portalSettings } from './settings.ts'

const prefix = 'longreach.feature.'
const listeners = new Set<() => void>()
let settings: FeatureSettings = {}

/** Read what the installation says about features; until then the person's own choice holds. */
export async function loadFeatures() {
  settings = (await portalSettings()).features ?? {}
  for (const tell of listeners) tell()
}

const isOn = (name: FeatureName) => isFeatureOn(name, localStorage.getItem(prefix + name), settings)

const subscribe = (tell: () => void) => {
  listeners.add(tell)
  return () => void listeners.delete(tell)
}

/** Is an experimental feature on in this browser? */
export const useFeature = (name: FeatureName) => useSyncExternalStore(subscribe, () => isOn(name))

/** The features offered here that are on. */
export const featuresOn = () => offeredFeatures(settings).filter(isOn)

/** The features that may be switched here. */
export const featuresOffered = () => offeredFeatures(settings)

/** Switch one feature on without loading the page again: what is being edited stays. */
export function enableFeature(name: FeatureName) {
  localStorage.setItem(prefix + name, 'true')
  for (const tell of listeners) tell()
}

/** Switch exactly these on and all others off; the page loads again, since any of it may look different. */
export function chooseFeatures(chosen: readonly FeatureName[]) {
  for (const name of offeredFeatures(settings)) {
    localStorage.setItem(prefix + name, String(chosen.includes(name)))
  }
  window.location.reload()
}
