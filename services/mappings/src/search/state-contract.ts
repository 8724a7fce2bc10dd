/** States that devices are counted and filtered by. */
export const deviceStates = [
  'online',
  'offline',
  'never',
  'error',
  'pending',
  'withoutPreset',
] as const
export type DeviceState = (typeof deviceStates)[number]
