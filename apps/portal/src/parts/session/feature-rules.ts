/**
 * The experimental features by name. `now`: what it switches is part of this portal; the others come
 * with what they switch, and are neither offered nor stored until then (F-01, F-03).
 */
const table = {
  structs: { now: true },
  highFreq: { now: true },
  deLanguage: { now: false },
  esLanguage: { now: false },
  frLanguage: { now: false },
  jpLanguage: { now: false },
  developerUI: { now: false },
  formulaMapping: { now: true },
  developerUI_DEFreeGridInfo: { now: false },
  ipFilter: { now: true },
  loginSplashVideoBackground: { now: false },
  editorInspector: { now: false },
  dataTable: { now: false, on: true },
  VPNnetworkSize: { now: false },
  showVpnIp: { now: false },
  deviceServiceAccountAssociation: { now: true },
  groupPoliciesDisabled: { now: false },
  showMapByDefault: { now: true },
  hideDeviceSerialNumber: { now: true },
  hideDeviceDescription: { now: true },
  hideVpnExportConfig: { now: false },
  credits: { now: false },
  deviceTableWidget: { now: false },
  mapAlarmWidget: { now: false },
  widgetPermissions: { now: false },
  showHiddenApps: { now: false },
} as const satisfies Record<string, { now: boolean; on?: true }>
type Table = typeof table
type KnownFeature = keyof Table

/** Features that change something in this portal. */
export type FeatureName = {
  [Name in KnownFeature]: Table[Name] extends { now: true } ? Name : never
}[KnownFeature]

/** Every feature that the portal knows by name. */
export const knownFeatures = Object.keys(table) as readonly KnownFeature[]

export const features = knownFeatures.filter((name): name is FeatureName => table[name].now)

/** Is it on where neither the person nor the installation said anything? */
const startsOn = (name: KnownFeature) => 'on' in table[name]

/** Features by name that the operator allows, forbids or enables. */
export type FeatureSettings = {
  /** Only these are offered; absent: all. */
  allowed?: readonly string[]
  /** Never offered, and off. */
  forbidden?: readonly string[]
  /** On where a person has not chosen. */
  enabled?: readonly string[]
}

const isAllowed = (name: string, { allowed, forbidden = [] }: FeatureSettings) =>
  (allowed?.includes(name) ?? true) && !forbidden.includes(name)

/** The features that a person may switch here. */
export const offeredFeatures = (settings: FeatureSettings) =>
  features.filter((name) => isAllowed(name, settings))

/** Is a feature on? `stored` is what the browser keeps: `true`, anything else (off), or nothing. */
export function isFeatureOn(
  name: KnownFeature,
  stored: string | null,
  settings: FeatureSettings,
): boolean {
  if (!isAllowed(name, settings)) return false
  if (stored !== null) return stored === 'true'
  return startsOn(name) || (settings.enabled?.includes(name) ?? false)
}
