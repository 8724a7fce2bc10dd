import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Checkbox, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type Draft, placeText, type Tag } from './source-rules.ts'
import classes from './sources.module.css'

type Props = {
  draft: Draft
  wrong?: { tag: number; message: string }
  onChange: (draft: Draft) => void
}

/** The tags that were picked, to be named. */
export function PickedTags({ draft, wrong, onChange }: Props) {
  const t = useWords()
  if (draft.tags.length === 0) return <p className={classes.dim}>{t('gateway.pickFirst')}</p>
  const set = (index: number, change: Partial<Tag>) =>
    onChange({
      ...draft,
      tags: draft.tags.map((tag, at) => (at === index ? { ...tag, ...change } : tag)),
    })
  return (
    <div className={classes.scroll}>
      <table className={classes.table} aria-label={t('gateway.tags')}>
        <thead>
          <tr>
            <th scope="col">{t('gateway.tagName')}</th>
            <th scope="col">{t('gateway.place')}</th>
            <th scope="col">{t('gateway.dataType')}</th>
            <th scope="col">{t('gateway.writable')}</th>
            <th scope="col">
              <span className="mantine-visually-hidden">{t('gateway.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {draft.tags.map((tag, index) => (
            <tr key={index}>
              <td>
                <TextInput
                  aria-label={t('gateway.nameOf', { place: placeText(tag) })}
                  value={tag.name}
                  onChange={(event) => set(index, { name: event.currentTarget.value })}
                  {...(wrong?.tag === index && { error: wrong.message })}
                />
              </td>
              <td className={classes.place}>{placeText(tag)}</td>
              <td>{[tag['type'], tag['wordOrder']].filter(Boolean).join(' ')}</td>
              <td>
                <Checkbox
                  aria-label={t('gateway.writableOf', { name: tag.name })}
                  disabled={!mayWrite(draft, tag)}
                  checked={tag['writable'] === true || tag['writeTopic'] !== undefined}
                  onChange={(event) => set(index, writing(draft, tag, event.currentTarget.checked))}
                />
              </td>
              <td>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('gateway.drop', { name: tag.name })}
                  onClick={() =>
                    onChange({ ...draft, tags: draft.tags.filter((_, at) => at !== index) })
                  }
                >
                  <IconX size={15} />
                </ActionIcon>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const readOnly = new Set(['input', 'discrete', 'I'])
const mayWrite = ({ type }: Draft, tag: Tag) =>
  type === 'modbus' || type === 's7' ? !readOnly.has(String(tag['area'])) : true

/** A tag of a broker is written on a topic of its own; the usual one ends with `/set`. */
const writing = ({ type }: Draft, tag: Tag, on: boolean): Partial<Tag> =>
  type === 'mqtt'
    ? { writeTopic: on ? `${String(tag['topic'])}/set` : undefined }
    : { writable: on }
