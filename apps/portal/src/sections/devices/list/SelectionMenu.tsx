import { ActionMenuItem } from '@longreach/ui/ActionMenuItem'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { Menu } from '@mantine/core'
import {
  IconArrowsShuffle,
  IconBookmark,
  IconChevronDown,
  IconDots,
  IconFileSpreadsheet,
  IconFolderMinus,
  IconForms,
  IconPrinter,
  IconTableExport,
  IconTagOff,
  IconTrash,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactElement, useState } from 'react'
import { type ListState, questionOf } from '../../../parts/devices/device-filters.ts'
import { useErrorText } from '../../../parts/words/error-text.ts'
import { useMay, useSession } from '../../../parts/session/session.ts'
import { usualZone } from '../../../parts/look/time-zone.ts'
import type { BulkKind } from './bulk-kinds.ts'
import { bulkRights, type Doing } from './bulk-rights.ts'
import { exportDevices } from './device-export.ts'
import classes from './selection.module.css'
import { linkTo } from '../../../parts/pages/page-links.ts'

type Props = {
  ids: ReadonlySet<string>
  everything: boolean
  state: ListState
  onPick: (doing: Doing) => void
}

const changes = [
  ['removeTags', IconTagOff],
  ['removeFromGroup', IconFolderMinus],
  ['setAttribute', IconForms],
  ['move', IconArrowsShuffle],
] as const

const mostLabels = 100
const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

/** Everything that is done more seldom with a selection. */
export function SelectionMenu({ ids, everything, state, onPick }: Props) {
  const t = useWords()
  const save = useExport({ ids, everything, state })
  return (
    <Menu position="top-end" withinPortal>
      <Menu.Target>
        <button
          type="button"
          className={`${classes.act} ${classes.more}`}
          aria-label={t('devices.selectionMore')}
        >
          <IconDots {...icon} className={classes.dots} />
          <span>{t('devices.selectionMore')}</span>
          <IconChevronDown size={13} stroke={1.8} aria-hidden className={classes.chevron} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {changes.map(([kind, Icon]) => (
          <Change key={kind} kind={kind} icon={<Icon {...icon} />} onPick={onPick} />
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconTableExport {...icon} />} onClick={() => void save()}>
          {t('devices.export')}
        </Menu.Item>
        <Menu.Item leftSection={<IconFileSpreadsheet {...icon} />} onClick={() => onPick('values')}>
          {t('devices.exportValues')}
        </Menu.Item>
        <Labels ids={ids} everything={everything} />
        {!everything && (
          <Menu.Item leftSection={<IconBookmark {...icon} />} onClick={() => onPick('segment')}>
            {t('devices.segmentSave')}
          </Menu.Item>
        )}
        <Menu.Divider />
        <Change kind="delete" icon={<IconTrash {...icon} />} onPick={onPick} />
      </Menu.Dropdown>
    </Menu>
  )
}

type ChangeProps = { kind: BulkKind; icon: ReactElement; onPick: (kind: BulkKind) => void }

function Change({ kind, icon: left, onPick }: ChangeProps) {
  const t = useWords()
  const { right, word } = bulkRights[kind]
  const allowed = useMay()(right)
  return (
    <ActionMenuItem
      reason={allowed ? undefined : t(word)}
      leftSection={left}
      {...(kind === 'delete' && { className: classes.danger })}
      onClick={() => onPick(kind)}
    >
      {t(`devices.bulk.${kind}`)}
    </ActionMenuItem>
  )
}

/** Labels to print for the devices that are ticked. */
function Labels({ ids, everything }: Pick<Props, 'ids' | 'everything'>) {
  const t = useWords()
  const left = <IconPrinter {...icon} />
  if (everything || ids.size > mostLabels)
    return (
      <ActionMenuItem reason={t('devices.labelsMost')} leftSection={left}>
        {t('devices.labels')}
      </ActionMenuItem>
    )
  return (
    <Menu.Item
      leftSection={left}
      component={Link}
      {...linkTo('/devices/labels', { search: { device: [...ids] } })}
    >
      {t('devices.labels')}
    </Menu.Item>
  )
}

/** Saves the selection as a CSV file. */
function useExport({ ids, everything, state }: Omit<Props, 'onPick'>) {
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  const org = useSession().organization.resourceId
  const [pending, setPending] = useState(false)
  return async () => {
    if (pending) return
    setPending(true)
    try {
      const asked = questionOf(state, org)
      await exportDevices(asked, { ids: everything ? undefined : [...ids], t, zone: usualZone() })
    } catch (error) {
      toast({ kind: 'failed', message: errorText(error).message })
    } finally {
      setPending(false)
    }
  }
}
