import { formatBytes, formatValue } from '@longreach/ui/format'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { useWords } from '@longreach/ui/use-words'
import type { ReactNode } from 'react'
import { useIntl } from 'react-intl'
import type { AgentHealth } from './agent-calls.ts'
import { durationText } from '../duration-text.ts'
import classes from './sources.module.css'
import type words from '../locales/gateway/en.json'

type Props = {
  health: AgentHealth
  reportedAt: number | null
  clockDifferenceMs: number | null
}

/** Health of the gateway: its program, machine, buffer and clock. */
export function GatewayHealth({ health, reportedAt, clockDifferenceMs }: Props) {
  const t = useWords()
  const { locale } = useIntl()
  const bytes = (value: number) => formatBytes(value, { locale })
  const percent = (value: number) => formatValue(value, { unit: '%', digits: 3, locale })
  const { memory, disk, buffer, cpu } = health
  const facts: [keyof typeof words, ReactNode][] = [
    ['version', health.version],
    ['uptime', durationText(health.at - health.startedAt, locale)],
    ['reported', <RelativeTime key="reported" at={reportedAt} />],
    ['machine', `${health.hostName} · ${health.system} · Node ${health.node}`],
    ['cpu', t('gateway.cpuText', { agent: percent(cpu.agent), machine: percent(cpu.machine) })],
    [
      'memory',
      t('gateway.memoryText', {
        agent: bytes(memory.agent),
        used: bytes(memory.used),
        total: bytes(memory.total),
      }),
    ],
    ['disk', disk ? t('gateway.of', { used: bytes(disk.used), total: bytes(disk.total) }) : '—'],
    ['buffer', t('gateway.bufferText', { waiting: buffer.waiting, bytes: bytes(buffer.bytes) })],
    ['oldest', <RelativeTime key="oldest" at={buffer.oldestAt} />],
    ['dropped', formatValue(buffer.dropped, { digits: 9, locale })],
    ['clock', clockText(clockDifferenceMs, locale)],
  ]
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{t(`gateway.${name}`)}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function clockText(ms: number | null, locale: string) {
  if (ms === null) return '—'
  const format = { unit: 's', digits: 3, locale }
  return `${ms > 0 ? '+' : ''}${formatValue(ms / 1_000, format)}`
}
