export type Exceptions = { parts: readonly string[]; services: readonly string[] }

/** Dependencies that still close a circle. No line is ever added here. */
export const exceptions: Exceptions = {
  parts: [
    'services/platform/devices → time-line',
    'services/platform/devices → pairing',
    'services/platform/devices → values',
    'services/platform/devices → mqtt',
    'services/platform/devices → formulas',
    'services/platform/devices → live',
    'services/platform/devices → agents',
    'services/platform/devices → writes',
    'services/platform/formulas → values',
    'services/platform/mqtt → pairing',
    'services/platform/queries → exports',
    'services/platform/queries → values',
    'services/platform/values → writes',
    'services/platform/values → time-line',
  ],
  services: ['core → identity', 'core → mappings', 'mappings → platform', 'platform → identity'],
}
