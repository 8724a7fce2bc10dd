import { begin } from './app/start/begin.ts'

void begin()
