import { late } from '@longreach/ui/late'
import { Hint } from '@longreach/ui/Hint'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconFolderPlus, IconTags, IconTemplate, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import type { ListState } from '../../../parts/devices/device-filters.ts'
import { filtersOf, questionOf } from '../../../parts/devices/device-filters.ts'
import { LateExportDialog } from '../../../parts/export/export-loading.ts'
import { useMay, useSession } from '../../../parts/session/session.ts'
import { bulkRights, type Doing } from './bulk-rights.ts'
import { SelectionMenu } from './SelectionMenu.tsx'
import classes from './selection.module.css'

const BulkDialog = late(() => import('./BulkDialog.tsx'), 'BulkDialog')
const SegmentDialog = late(() => import('./SegmentDialog.tsx'), 'SegmentDialog')

type Props = {
  ids: ReadonlySet<string>
  /** Not only these, but all that match. */
  everything: boolean
  total: number
  state: ListState
  onEverything: () => void
  onClear: () => void
}

/** Actions with a button of their own, as they are the most frequent; the others are in the menu. */
const shownActions = [
  ['addTags', IconTags],
  ['addToGroup', IconFolderPlus],
  ['setPreset', IconTemplate],
] as const

/** Bar of the actions on the ticked devices, or on all that match: one line over the end of the list. */
export function SelectionBar(props: Props) {
  const { ids, everything, total, state, onEverything, onClear } = props
  const t = useWords()
  const may = useMay()
  const [doing, setDoing] = useState<Doing>()
  const count = everything ? total : ids.size
  return (
    <div className={classes.bar} data-over-rows role="region" aria-label={t('devices.selection')}>
      <div className={classes.line}>
        <button
          type="button"
          className={classes.clear}
          aria-label={t('devices.clearSelection')}
          title={t('devices.clearSelection')}
          onClick={onClear}
        >
          <IconX size={16} stroke={1.7} aria-hidden />
        </button>
        <b role="status">{t('devices.selected', { count })}</b>
        {!everything && total > ids.size && (
          <Button className={classes.all} variant="subtle" size="compact-sm" onClick={onEverything}>
            {t('devices.selectAll', { total })}
          </Button>
        )}
        <span className={classes.acts}>
          {shownActions.map(([kind, Icon]) => {
            const reason = bulkRights[kind]
            const allowed = may(reason.right)
            return (
              <Hint key={kind} text={allowed ? undefined : t(reason.word)}>
                <button
                  type="button"
                  className={classes.act}
                  aria-disabled={!allowed}
                  aria-label={t(`devices.bulk.${kind}`)}
                  title={t(`devices.bulk.${kind}`)}
                  onClick={() => allowed && setDoing(kind)}
                >
                  <Icon size={16} stroke={1.7} aria-hidden />
                  <span data-length="full">{t(`devices.bulk.${kind}`)}</span>
                  <span data-length="short">{t(`devices.bulkShort.${kind}`)}</span>
                </button>
              </Hint>
            )
          })}
          <SelectionMenu {...{ ids, everything, state }} onPick={setDoing} />
        </span>
      </div>
      {doing && <Dialog {...props} {...{ doing, count }} onClose={() => setDoing(undefined)} />}
    </div>
  )
}

type DialogProps = Pick<Props, 'ids' | 'everything' | 'state' | 'onClear'> & {
  doing: Doing
  count: number
  onClose: () => void
}

function Dialog({ doing, count, ids, everything, state, onClear, onClose }: DialogProps) {
  const org = useSession().organization.resourceId
  const selection = everything ? { question: filtersOf(state), except: [] } : { ids: [...ids] }
  return (
    <>
      {doing === 'segment' ? (
        <SegmentDialog content={{ deviceIds: [...ids] }} onClose={onClose} onSaved={onClear} />
      ) : doing === 'values' ? (
        <LateExportDialog devices={selection} start={{ range: '24h' }} onClose={onClose} />
      ) : (
        <BulkDialog
          {...{ kind: doing, count, selection, onClose }}
          organization={questionOf(state, org).organization}
          onStarted={onClear}
        />
      )}
    </>
  )
}
