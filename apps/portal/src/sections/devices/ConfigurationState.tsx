import { Tag } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import type { Device } from './device-calls.ts'
import classes from './devices.module.css'

type ConfigurationFacts = Pick<
  Device,
  'presetId' | 'configurationApplied' | 'configurationSent' | 'configurationError'
>

/** State of the device's configuration. */
export function ConfigurationState({ device }: { device: ConfigurationFacts }) {
  const t = useWords()
  if (!device.presetId) return <span className={classes.dim}>{t('devices.config.none')}</span>
  if (device.configurationError) return <Tag tone="alarm">{t('devices.config.error')}</Tag>
  if (device.configurationApplied) return <Tag tone="ok">{t('devices.config.applied')}</Tag>
  if (device.configurationSent) return <Tag tone="warning">{t('devices.config.sent')}</Tag>
  return <Tag tone="off">{t('devices.config.waiting')}</Tag>
}
