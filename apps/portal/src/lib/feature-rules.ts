/** Experimental features that this portal knows; each changes something that can be seen. */
export const features = [
  'structs',
  'highFreq',
  'formulaMapping',
  'deviceServiceAccountAssociation',
  'showMapByDefault',
  'hideDeviceSerialNumber',
  'hideDeviceDescription',
] as const
export type FeatureName = (typeof features)[number]

/** What the operator of an installation says about features, by name. */
export type FeatureSettings = {
  /** Only these are offered; absent: all. */
  allowed?: readonly string[]
  /** Never offered, and off. */
  forbidden?: readonly string[]
  /** On where a person has not chosen. */
  enabled?: readonly string[]
}

/** The features that a person may switch here. */
export const offeredFeatures = ({ allowed, forbidden = [] }: FeatureSettings) =>
  features.filter((name) => (allowed?.includes(name) ?? true) && !forbidden.includes(name))

/** Is a feature on? `stored` is what the browser keeps: `true`, anything else (off), or nothing. */
export function isFeatureOn(
  name: FeatureName,
  stored: string | null,
  settings: FeatureSettings,
): boolean {
  if (!offeredFeatures(settings).includes(name)) return false
  return stored === null ? (settings.enabled?.includes(name) ?? false) : stored === 'true'
}
