import { Tag } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { useCallback } from 'react'
import classes from './device-groups.module.css'
import type { DeviceGroup } from './group-calls.ts'

/** The name of a group in words: that of all devices is called `*` on the wire. */
export function useGroupName() {
  const t = useWords()
  return useCallback(
    ({ name, type }: Pick<DeviceGroup, 'name' | 'type'>) =>
      type === 'ALL_DEVICES' ? t('device-groups.allDevices') : name,
    [t],
  )
}

/** Made by people, or kept by the product. */
export function GroupType({ type }: Pick<DeviceGroup, 'type'>) {
  const t = useWords()
  if (type === 'STANDARD') return <span className={classes.dim}>{t('device-groups.ownMade')}</span>
  return (
    <Tag tone="info">
      {type === 'SELF_DEVICE' ? t('device-groups.ofDevice') : t('device-groups.ofAll')}
    </Tag>
  )
}
