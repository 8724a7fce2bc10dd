import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useWords } from '@longreach/ui/use-words'
import { Dialog } from '@longreach/ui/Dialog'
import { Button, Group } from '@mantine/core'
import { ChangesList } from './ChangesList.tsx'
import type { Impact } from './model-calls.ts'
import shared from './models.module.css'
import classes from './SaveDialog.module.css'
import { Others, PresetLines, ViewLines } from './Usage.tsx'

type Props = {
  name: string
  impact: Impact
  pending: boolean
  error: string | undefined
  onSave: () => void
  onClose: () => void
}

/** Confirmation of saving: the next version, the changes, and the devices and presets that use what changes. */
export function SaveDialog({ name, impact, pending, error, onSave, onClose }: Props) {
  const t = useWords()
  const { change, changes, newest, version, presets, others, views } = impact
  const limits = new Set(changes.filter(isLimit).map(({ path }) => path)).size
  const touched = presets.filter(({ paths }) => paths.length > 0)
  return (
    <Dialog onClose={onClose} title={t('models.saveTitle', { name, version })} size="lg">
      <form
        className={shared.stack}
        onSubmit={(event) => {
          event.preventDefault()
          onSave()
        }}
      >
        <p className={classes.lead}>
          {newest.version} → <strong>{version}</strong>: {t(`models.means.${change}`)}
        </p>
        {limits > 0 && (
          <p className={classes.warn}>{t('models.limitsChange', { count: limits })}</p>
        )}
        <ChangesList changes={changes} />
        <h3 className={shared.subhead}>{t('models.whoUses')}</h3>
        <p className={shared.dim}>
          {t('models.presetsStay', { presets: presets.length, touched: touched.length })}
        </p>
        <PresetLines presets={touched} />
        <Others others={others} />
        <ViewLines views={views} />
        {error !== undefined && <ErrorPanel message={error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" loading={pending} data-autofocus>
            {t('models.saveAs', { version })}
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}

/** Limits are more than words: they decide which set-points are refused. */
const isLimit = ({ kind }: Impact['changes'][number]) => kind === 'min' || kind === 'max'
