import { ActionButton } from '@longreach/ui/ActionButton'
import { late } from '@longreach/ui/late'
import { Page, PageHeader } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useMay } from '../../parts/session/session.ts'
import { useSearch } from '../../parts/pages/use-search.ts'
import { useChosen } from './organization-calls.ts'
import classes from './OrganizationsPage.module.css'
import { OrganizationDetail } from './OrganizationDetail.tsx'
import { OrganizationTree } from './OrganizationTree.tsx'
import { SectionTabs } from './SectionTabs.tsx'

const NewOrganizationDialog = late(
  () => import('./NewOrganizationDialog.tsx'),
  'NewOrganizationDialog',
)

/** The tree of organizations, and beside it everything about the chosen one. */
export function Component() {
  const t = useWords()
  const [, change] = useSearch()
  const chosen = useChosen()
  const choose = (at: string) => void change({ at, tab: undefined })
  return (
    <Page>
      <PageHeader
        title={t('shell.section.organizations')}
        help={t('organizations.help')}
        actions={<NewButton parent={chosen} onMade={choose} />}
      />
      <SectionTabs />
      <div className={classes.parts}>
        <OrganizationTree chosen={chosen} onChoose={choose} />
        <OrganizationDetail key={chosen} org={chosen} onGone={choose} />
      </div>
    </Page>
  )
}

function NewButton({ parent, onMade }: { parent: string; onMade: (org: string) => void }) {
  const t = useWords()
  const may = useMay()('organizations:create')
  const [opened, setOpened] = useState(false)
  return (
    <>
      <ActionButton
        reason={may ? undefined : t('organizations.mayNotCreate')}
        leftSection={<IconPlus size={16} />}
        onClick={() => setOpened(true)}
      >
        {t('organizations.new')}
      </ActionButton>
      {opened && (
        <NewOrganizationDialog
          parent={parent}
          onClose={() => setOpened(false)}
          onMade={(org) => {
            setOpened(false)
            onMade(org)
          }}
        />
      )}
    </>
  )
}
