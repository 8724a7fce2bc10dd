import { useWords } from '@longreach/ui/use-words'
import { Select } from '@mantine/core'
import { fields } from './import-calls.ts'
import classes from './import.module.css'

type Mapping = Readonly<Record<string, string>>
type Props = {
  headers: readonly string[]
  mapping: Mapping
  onChange: (mapping: Record<string, string>) => void
}

/** Choice of the field that each column holds. */
export function ImportColumns({ headers, mapping, onChange }: Props) {
  const t = useWords()
  const choose = (header: string, target: string) => {
    const next = Object.fromEntries(headers.map((one) => [one, mapping[one] ?? '']))
    // A field is in one column: the one before gives it up.
    for (const one of headers) if (target !== '' && next[one] === target) next[one] = ''
    onChange({ ...next, [header]: target })
  }
  return (
    <fieldset className={classes.columns}>
      <legend>{t('device-import.columns')}</legend>
      {headers.map((header) => {
        const attribute = attributeOf(header)
        const known = mapping[header] ?? ''
        const own = known.startsWith('attributes.') ? known : `attributes.${attribute}`
        return (
          <Select
            key={header}
            label={header}
            size="xs"
            searchable
            allowDeselect={false}
            value={known === '' ? 'none' : known}
            data={[
              { value: 'none', label: t('device-import.field.none') },
              ...fields.map((value) => ({ value, label: t(`device-import.field.${value}`) })),
              {
                value: own,
                label: t('device-import.attribute', { name: own.slice('attributes.'.length) }),
              },
            ]}
            onChange={(target) => choose(header, target === 'none' ? '' : (target ?? ''))}
          />
        )
      })}
    </fieldset>
  )
}

/** The attribute that a column is named like. */
const attributeOf = (header: string) =>
  header
    .replace(/^(?:attributes?|attr)[.:]\s*/i, '')
    .trim()
    .slice(0, 200)
