import type { ReactNode } from 'react'
import classes from './SignInFrame.module.css'
import { LateMenus } from '../shell/LateMenus.tsx'
import { Logo } from '../shell/Logo.tsx'

/** Frame of the pages before the portal: product name, language and colours, one card in the middle. */
export function SignInFrame({ wide, children }: { wide: boolean; children: ReactNode }) {
  return (
    <div className={classes.frame}>
      <header className={classes.top}>
        <span className={classes.brand}>
          <Logo size={26} />
          Longreach
        </span>
        <span className={classes.menus}>
          <LateMenus person={false} />
        </span>
      </header>
      <main className={classes.main}>
        <div className={classes.card} data-wide={wide || undefined}>
          {children}
        </div>
      </main>
    </div>
  )
}
