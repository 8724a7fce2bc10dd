import { actionProps } from '@longreach/ui/action-props'
import { late } from '@longreach/ui/late'
import type { LineColumns } from '@longreach/ui/chart-data'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { Hint } from '@longreach/ui/Hint'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { Sparkline, thinned } from '@longreach/ui/Sparkline'
import { chartColors } from '@longreach/ui/series-colors'
import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, TextInput } from '@mantine/core'
import { IconPencil, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { type TagWithValue, useTags } from '../../../parts/devices/devices.ts'
import { useErrorText } from '../../../parts/words/error-text.ts'
import { joined } from '../../../parts/history/history.ts'
import { useLiveTrails } from '../../../parts/live/live.ts'
import { useMay } from '../../../parts/session/session.ts'
import { one, useSearch } from '../../../parts/pages/use-search.ts'
import { isDrawable, shortPath } from '../../../parts/devices/tags.ts'
import { TagName, TagValue } from '../../../parts/devices/TagValue.tsx'
import { useSparks } from '../../../parts/history/use-history.ts'
import shared from '../devices.module.css'
import classes from './LiveValues.module.css'
import { withWords } from '../../../parts/words/spoken-words.ts'

const WriteDialog = late(() => withWords(import('./WriteDialog.tsx'), 'device-page'), 'WriteDialog')

type Props = {
  device: { deviceId: string; label: string }
  connected: boolean | undefined
  /** Paths on the chart beside; a click on a drawable tag adds or takes one. */
  chosen: readonly string[]
  onChoose: (path: string) => void
  /** Narrow: fewer columns, for the side panel. */
  narrow?: boolean
  most?: number
}

/** Every value of a device with its course, its age where it is old, and a pencil where it may be written. */
export function LiveValues({ device, connected, chosen, onChoose, narrow = false, most }: Props) {
  const t = useWords()
  const errorText = useErrorText()
  const { tags, pending, error, retry } = useTags(device.deviceId)
  const trailOf = useLiveTrails(device.deviceId)
  const drawn = tags.filter(isDrawable).slice(0, 60)
  const sparks = useSparks(
    device.deviceId,
    drawn.map(({ path }) => path),
  )
  const [text, setText] = useState('')
  const [written, setWritten] = useWritten(tags)
  if (pending) return <RowsSkeleton rows={6} />
  if (error) return <ErrorPanel {...errorText(error)} onRetry={retry} />
  if (tags.length === 0) return <p className={shared.dim}>{t('devices.values.none')}</p>
  const found = tags.filter((tag) => matches(tag, text))
  return (
    <>
      {tags.length > 12 && (
        <TextInput
          className={classes.tagFilter}
          aria-label={t('devices.values.filter')}
          placeholder={t('devices.values.filter')}
          leftSection={<IconSearch size={14} />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      <ul className={classes.tags} data-narrow={narrow || undefined}>
        {found.slice(0, most).map((tag) => (
          <TagRow
            key={tag.path}
            tag={tag}
            line={joined(sparks.get(tag.path), trailOf(tag.path))}
            connected={connected}
            color={chosen.indexOf(tag.path)}
            narrow={narrow}
            onChoose={onChoose}
            onWrite={setWritten}
          />
        ))}
      </ul>
      {most !== undefined && found.length > most && (
        <p className={shared.dim}>{t('devices.values.more', { count: found.length - most })}</p>
      )}
      {found.length === 0 && <p className={shared.dim}>{t('devices.values.notFound')}</p>}
      {written && (
        <WriteDialog device={device} path={written.path} onClose={() => setWritten(undefined)} />
      )}
    </>
  )
}

/** The value whose dialog is open: chosen by its pencil, or named by `write=path` in the address. */
function useWritten(tags: readonly TagWithValue[]) {
  const [search, change] = useSearch()
  const may = useMay()('devices:update')
  const [chosen, setChosen] = useState<TagWithValue>()
  const path = one(search['write'])
  const named = may ? tags.find((tag) => tag.path === path && tag.writable) : undefined
  const set = (tag: TagWithValue | undefined) => {
    setChosen(tag)
    if (tag === undefined && path !== undefined) void change({ write: undefined })
  }
  return [chosen ?? named, set] as const
}

const matches = ({ path, name, source = '' }: TagWithValue, text: string) =>
  `${path} ${name} ${source}`.toLowerCase().includes(text.trim().toLowerCase())

type RowProps = {
  tag: TagWithValue
  line: LineColumns
  connected: boolean | undefined
  color: number
  narrow: boolean
  onChoose: (path: string) => void
  onWrite: (tag: TagWithValue) => void
}

function TagRow({ tag, line: whole, connected, color, narrow, onChoose, onWrite }: RowProps) {
  const drawable = isDrawable(tag)
  const line = thinned(whole.times, whole.values, 60)
  const mark = chartColors[color % chartColors.length]
  return (
    <li className={classes.tag}>
      <button
        type="button"
        className={classes.tagName}
        aria-pressed={color >= 0}
        disabled={!drawable}
        title={[tag.description, tag.path].filter(Boolean).join('\n')}
        onClick={() => onChoose(tag.path)}
      >
        <i style={color >= 0 ? { background: mark } : undefined} />
        <TagName tag={tag} />
      </button>
      <span className={classes.tagLine}>
        {drawable && line.times.length > 1 && (
          <Sparkline {...line} step={tag.type === 'boolean'} color={mark ?? 'var(--chart-text)'} />
        )}
      </span>
      <span className={classes.tagValue}>
        <TagValue tag={tag} live={tag.last} connected={connected} />
      </span>
      {!narrow && (
        <span className={classes.tagAge}>
          <RelativeTime at={tag.last?.at} />
        </span>
      )}
      <span className={shared.tagWrite}>
        <WriteButton tag={tag} onWrite={onWrite} />
      </span>
    </li>
  )
}

function WriteButton({ tag, onWrite }: Pick<RowProps, 'tag' | 'onWrite'>) {
  const t = useWords()
  const may = useMay()('devices:update')
  if (!tag.writable) return null
  const short = shortPath(tag.path)
  const name = tag.name === short ? short : `${tag.name} (${short})`
  const label = may ? t('devices.write.open', { name }) : t('devices.mayNotUpdate')
  return (
    <Hint text={label}>
      <ActionIcon size={24} aria-label={label} {...actionProps(!may, () => onWrite(tag))}>
        <IconPencil size={15} stroke={1.6} />
      </ActionIcon>
    </Hint>
  )
}
