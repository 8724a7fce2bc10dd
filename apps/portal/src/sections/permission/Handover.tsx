import { CopyText } from '@longreach/ui/CopyText'
import { useWords } from '@longreach/ui/use-words'
import { Button, Group } from '@mantine/core'
import shared from './permission.module.css'
import classes from './Handover.module.css'

type Props = { text: string; items: { label: string; value: string }[]; onClose: () => void }

/** Secrets that are shown only once, to be copied and given to their owners. */
export function Handover({ text, items, onClose }: Props) {
  const t = useWords()
  return (
    <div className={shared.form}>
      <p className={shared.text}>{text}</p>
      {items.map(({ label, value }) => (
        <div key={label}>
          <p className={shared.dim}>{label}</p>
          <div className={classes.secret}>
            <CopyText text={value} label={label} />
          </div>
        </div>
      ))}
      <Group justify="flex-end">
        <Button data-autofocus onClick={onClose}>
          {t('permission.copied')}
        </Button>
      </Group>
    </div>
  )
}
