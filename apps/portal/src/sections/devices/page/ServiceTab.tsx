import { late } from '@longreach/ui/late'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import type { ComponentType } from 'react'
import { one, useSearch } from '../../../parts/pages/use-search.ts'
import type { Row } from '../device-rows.ts'
import { useIsGateway } from '../sources/agent-calls.ts'
import classes from './device-page.module.css'
import { type ServicePart, servicePartWords, tabKeys } from './device-tabs.ts'
import { withWords } from '../../../parts/words/spoken-words.ts'

type Shown = { device: Row }
const partToCome = <RowsSkeleton rows={8} />
const Log = late(() => import('./DeviceLogTab.tsx'), 'DeviceLogTab', partToCome)
const Console = late(() => import('./ConsoleTab.tsx'), 'ConsoleTab', partToCome)
const Gateway = late(
  () => withWords(import('../sources/SourcesTab.tsx'), 'gateway'),
  'SourcesTab',
  partToCome,
)

const contents: Record<ServicePart, ComponentType<Shown>> = {
  log: Log,
  console: ({ device }) => <Console deviceId={device.deviceId} />,
  gateway: Gateway,
}

/** Tab for a service engineer: the log, the frames on the line, and the gateway's sources. */
export function ServiceTab({ device }: Shown) {
  const t = useWords()
  const [search, change] = useSearch()
  const gateway = useIsGateway(device.deviceId)
  const parts = (Object.keys(servicePartWords) as ServicePart[]) // its keys are these
    .filter((part) => gateway || part !== 'gateway')
  const part = parts.find((name) => name === one(search['part'])) ?? 'log'
  const Content = contents[part]
  const open = (next: ServicePart) =>
    void change(
      { ...Object.fromEntries(tabKeys.map((key) => [key, undefined])), part: next },
      { push: true },
    )
  return (
    <div className={classes.stack}>
      <div className={classes.chips} role="group" aria-label={t('device-page.serviceParts')}>
        {parts.map((name) => (
          <button
            key={name}
            type="button"
            className={classes.chip}
            aria-pressed={name === part}
            onClick={() => open(name)}
          >
            {t(servicePartWords[name])}
          </button>
        ))}
      </div>
      <Content device={device} />
    </div>
  )
}
