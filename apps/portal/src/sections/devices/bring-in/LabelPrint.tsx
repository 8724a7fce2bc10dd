import { useWords } from '@longreach/ui/use-words'
import { Button, NumberInput, Select } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import classes from './labels.module.css'
import { type Label, labelSizes, sheetsOf, sizeNames } from './label-sizes.ts'
import { QrCode } from './QrCode.tsx'

/** More sheets than this at once are too much for a browser's print preview. */
const mostSheets = 40

/** Labels for devices on A4 sheets: name, serial number, activation key, and a code to scan. */
export function LabelPrint({ labels }: { labels: readonly Label[] }) {
  const t = useWords()
  const [size, setSize] = useState(sizeNames[0] ?? '70x37')
  const [wanted, setCode] = useState<'key' | 'link'>('key')
  const withKeys = labels.some(({ activationKey }) => activationKey !== '')
  const code = withKeys ? wanted : 'link'
  const [skip, setSkip] = useState(0)
  const sheets = sheetsOf(labels, size, skip)
  const [chosen, setPart] = useState(0)
  const part = Math.min(chosen, Math.ceil(sheets.length / mostSheets) - 1)
  const first = part * mostSheets
  const last = Math.min(first + mostSheets, sheets.length)
  const printing = usePrinting()
  const most = labelSizes[size].columns * labelSizes[size].rows
  const content = (label: Label) =>
    code === 'key' && label.activationKey !== ''
      ? label.activationKey
      : `${location.origin}/devices/${label.deviceId}`
  const pages = (from: number, to: number) =>
    sheets.slice(from, to).map((places, page) => (
      // oxlint-disable-next-line react/no-array-index-key -- pages have no other name
      <div key={page} className={classes.sheet} data-size={size}>
        {places.map((label, place) =>
          label ? (
            <Sticker key={label.deviceId} label={label} content={content(label)} />
          ) : (
            // oxlint-disable-next-line react/no-array-index-key -- empty places have no other name
            <div key={`empty ${place}`} />
          ),
        )}
      </div>
    ))
  return (
    <section className={classes.labels} aria-label={t('device-import.labels')}>
      <h3>{t('device-import.labels')}</h3>
      <div className={classes.choices}>
        <Select
          label={t('device-import.size')}
          allowDeselect={false}
          value={size}
          data={sizeNames.map((value) => ({
            value,
            label: t('device-import.sizeOf', {
              size: value.replace('x', ' × '),
              count: labelSizes[value].columns * labelSizes[value].rows,
            }),
          }))}
          onChange={(value) => setSize(sizeNames.find((one) => one === value) ?? size)}
        />
        <Select
          label={t('device-import.code')}
          allowDeselect={false}
          value={code}
          data={[
            { value: 'key', label: t('device-import.codeKey'), disabled: !withKeys },
            { value: 'link', label: t('device-import.codeLink') },
          ]}
          onChange={(value) => setCode(value === 'link' ? 'link' : 'key')}
        />
        <NumberInput
          label={t('device-import.skip')}
          min={0}
          max={most - 1}
          value={skip}
          onChange={(value) => setSkip(Math.min(Math.max(Number(value) || 0, 0), most - 1))}
        />
        <PartSelect count={sheets.length} part={part} onChange={setPart} />
        <Button leftSection={<IconPrinter size={16} />} onClick={() => globalThis.print()}>
          {t('device-import.print', { count: last - first })}
        </Button>
      </div>
      <div className={classes.preview} aria-hidden="true">
        {pages(first, first + 1)}
      </div>
      {printing &&
        createPortal(<div className={classes.printed}>{pages(first, last)}</div>, document.body)}
    </section>
  )
}

type PartProps = { count: number; part: number; onChange: (part: number) => void }

/** Choice of the labels to print among many sheets. */
function PartSelect({ count, part, onChange }: PartProps) {
  const t = useWords()
  const parts = Math.ceil(count / mostSheets)
  if (parts < 2) return null
  return (
    <Select
      label={t('device-import.part')}
      allowDeselect={false}
      value={`${part}`}
      data={Array.from({ length: parts }, (_, n) => ({
        value: `${n}`,
        label: `${n * mostSheets + 1}–${Math.min((n + 1) * mostSheets, count)}`,
      }))}
      onChange={(value) => onChange(Number(value))}
    />
  )
}

/** State of printing: true while the browser prints, as only then thousands of codes are drawn. */
function usePrinting() {
  const [printing, setPrinting] = useState(false)
  useEffect(() => {
    // What is printed must stand there when the event is over.
    const begin = () => flushSync(() => setPrinting(true))
    const end = () => setPrinting(false)
    addEventListener('beforeprint', begin)
    addEventListener('afterprint', end)
    return () => {
      removeEventListener('beforeprint', begin)
      removeEventListener('afterprint', end)
    }
  }, [])
  return printing
}

function Sticker({ label, content }: { label: Label; content: string }) {
  return (
    <div className={classes.sticker}>
      <QrCode text={content} />
      <div className={classes.words}>
        <strong>{label.label}</strong>
        {label.serialNumber !== '' && <span>{label.serialNumber}</span>}
        {label.activationKey !== '' && <code>{label.activationKey}</code>}
      </div>
    </div>
  )
}
