import { CopyText } from '@longreach/ui/CopyText'
import { Panel } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useSession } from '../../parts/session/session.ts'
import classes from './account.module.css'
import { MyRights } from './MyRights.tsx'

/** Name and address as the sign-in service told them, and the way to where they are changed. */
export function ElsewhereProfile() {
  const t = useWords()
  const { accountConsole, displayName, email, username } = useSession()
  return (
    <>
      <Panel title={t('account.tab.profile')}>
        <div className={classes.form}>
          <div className={classes.two}>
            <Fact name={t('account.fullName')}>{displayName}</Fact>
            {email !== '' && <Fact name={t('account.email')}>{email}</Fact>}
            <Fact name={t('account.username')}>
              <CopyText text={username} label={t('account.username')} />
            </Fact>
          </div>
          <p className={classes.text}>{t('account.elsewhereText')}</p>
          <div className={classes.buttons}>
            <Button
              component="a"
              href={accountConsole}
              variant="default"
              rightSection={<IconExternalLink size={16} stroke={1.6} aria-hidden />}
            >
              {t('account.elsewhereOpen')}
            </Button>
          </div>
        </div>
      </Panel>
      <MyRights />
    </>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <span style={{ fontWeight: 500 }}>{name}</span>
    <div>{children}</div>
  </div>
)
