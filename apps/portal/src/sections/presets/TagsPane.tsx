import { EmptyState } from '@longreach/ui/EmptyState'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { Checkbox, TextInput } from '@mantine/core'
import { IconLink } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { bind, bindingOf, sourceFor } from './bind-rules.ts'
import { PickList } from './PickList.tsx'
import shared from './presets.module.css'
import classes from './TagsPane.module.css'
import type { DeviceTag } from './use-device-tags.ts'
import type { Editor } from './use-editor.ts'
import { valueNames } from './value-names.ts'
import { tagFormat } from './ValuesPane.tsx'

/** Pane of the tags that the device offers, with the newest values of those that it sends already. */
export function TagsPane({ editor }: { editor: Editor }) {
  const t = useWords()
  const { device, taken, deviceId, active, draft, model, rows, values, locked } = editor
  const [text, setText] = useState('')
  const [freeOnly, setFreeOnly] = useState(false)
  const [picked, setPicked] = useState<string>()
  const nameOf = useMemo(() => valueNames(rows), [rows])
  const needle = text.trim().toLocaleLowerCase()
  const tags = device.tags.filter(
    ({ name }) => name.toLocaleLowerCase().includes(needle) && (!freeOnly || !taken.has(name)),
  )
  /** The tag goes to the value that is active, and the next free value becomes active. */
  const take = ({ name }: DeviceTag) => {
    if (!active || locked) return
    const data = bind(draft.data, model, active, sourceFor(active, name))
    editor.change(data)
    const after = values.slice(values.indexOf(active) + 1)
    const next = after.find((row) => row.kind === 'leaf' && !bindingOf(data, row))
    if (next) editor.pick(next.path, new Set([next.path]))
  }
  if (deviceId === undefined) {
    return <EmptyState kind="nothing" title={t('presets.noTags')} text={t('presets.noTagsText')} />
  }
  return (
    <section aria-label={t('presets.tags')} className={classes.inner}>
      <header className={shared.paneHead}>
        <h2>{t('presets.tags')}</h2>
        <span className={shared.dim}>{t('presets.tagCount', { count: device.tags.length })}</span>
      </header>
      <TextInput
        size="xs"
        aria-label={t('presets.findTag')}
        placeholder={t('presets.findTag')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Checkbox
        size="xs"
        label={t('presets.freeOnly')}
        checked={freeOnly}
        onChange={(event) => setFreeOnly(event.currentTarget.checked)}
      />
      {device.pending ? (
        <RowsSkeleton rows={6} />
      ) : tags.length === 0 ? (
        <p className={shared.dim}>{t('presets.noTagFound')}</p>
      ) : (
        <PickList
          label={t('presets.tags')}
          items={tags}
          idOf={({ name }) => name}
          active={picked}
          selected={new Set(picked === undefined ? [] : [picked])}
          onPick={setPicked}
          onEnter={take}
          drag={(tag, event) => event.dataTransfer.setData(tagFormat, tag.name)}
        >
          {(tag) => <TagLine tag={tag} taken={taken.has(tag.name)} />}
        </PickList>
      )}
      <p className={shared.hint}>
        {active ? t('presets.takeFor', { path: nameOf(active.path).name }) : t('presets.takeHint')}
      </p>
    </section>
  )
}

function TagLine({ tag: { name, type, last }, taken }: { tag: DeviceTag; taken: boolean }) {
  const t = useWords()
  return (
    <>
      <span className={classes.valueName} title={`${name} (${type})`}>
        <span>{name}</span>
        <small>{type}</small>
      </span>
      <span className={classes.tagValue}>{last ? shortValueText(last.value) : '—'}</span>
      <small className={classes.age}>{last && <RelativeTime at={last.at} />}</small>
      {taken && (
        <IconLink
          size={14}
          stroke={1.8}
          className={classes.taken}
          role="img"
          aria-label={t('presets.taken')}
        />
      )}
    </>
  )
}

const longest = 40
const shortValueText = (value: unknown) => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
