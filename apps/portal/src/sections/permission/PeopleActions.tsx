import { ActionButton } from '@longreach/ui/ActionButton'
import { late } from '@longreach/ui/late'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Menu } from '@mantine/core'
import {
  IconDots,
  IconFileDownload,
  IconFileUpload,
  IconPlus,
  IconRobot,
} from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { arrive } from '../../parts/api/arrive.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useMay } from '../../parts/session/session.ts'
import { useOpenedByAddress } from '../../parts/pages/use-opened-by-address.ts'
import { useOrg } from './people-calls.ts'
import type { ListState } from './people-url.ts'

const AddDialog = late(() => import('./AddPersonDialog.tsx'), 'AddPersonDialog')
const ImportDialog = late(() => import('./ImportDialog.tsx'), 'ImportDialog')

type Opened = 'person' | 'service' | 'import'

/** Invite somebody, make a service account, bring many in, take the list out. */
export function PeopleActions({ state }: { state: ListState }) {
  const t = useWords()
  const errorText = useErrorText()
  const toast = useToast()
  const org = useOrg()
  const may = useMay()('users:create')
  const [chosen, setOpened] = useState<Opened>()
  const [byAddress, setByAddress] = useOpenedByAddress('person')
  const opened = byAddress && may ? 'person' : chosen
  const save = useMutation({
    mutationFn: async () => {
      const { exportPeople } = await arrive(() => import('./people-export.ts'))
      return exportPeople(org, state, t)
    },
    onError: (error) => toast({ kind: 'failed', message: errorText(error).message }),
  })
  const close = () => {
    setOpened(undefined)
    setByAddress(false)
  }
  return (
    <>
      <ActionButton
        reason={may ? undefined : t('permission.mayNotCreate')}
        leftSection={<IconPlus size={16} />}
        onClick={() => setOpened('person')}
      >
        {t('permission.invite')}
      </ActionButton>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={32} aria-label={t('permission.more')}>
            <IconDots size={17} stroke={1.6} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            disabled={!may}
            leftSection={<IconRobot size={15} stroke={1.6} />}
            onClick={() => setOpened('service')}
          >
            {t('permission.addService')}
          </Menu.Item>
          <Menu.Item
            disabled={!may}
            leftSection={<IconFileUpload size={15} stroke={1.6} />}
            onClick={() => setOpened('import')}
          >
            {t('permission.import')}
          </Menu.Item>
          <Menu.Item
            disabled={save.isPending}
            leftSection={<IconFileDownload size={15} stroke={1.6} />}
            onClick={() => save.mutate()}
          >
            {t('permission.export')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {opened === 'import' && <ImportDialog onClose={close} />}
      {(opened === 'person' || opened === 'service') && (
        <AddDialog service={opened === 'service'} onClose={close} />
      )}
    </>
  )
}
