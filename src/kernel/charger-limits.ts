import { DAY_MS } from './time.ts'

/** Groups of groups of id tags. */
export const ID_TAG_DEPTH_MAX = 10
/** Commands of one charger that wait or are under way. */
export const COMMANDS_OPEN_MAX = 100
/** How long a command waits for its station to be connected, unless it says otherwise. */
export const COMMAND_WAIT_MS = 5 * 60_000
export const COMMAND_WAIT_MAX_S = 7 * 24 * 3600
/** After so long a command that was sent belongs to a process that died: longer than any call. */
export const COMMAND_ANSWER_MAX_MS = 3 * 60_000
/** Commands that one sweep ends. */
export const COMMAND_SWEEP_ROWS = 500

/** Of the numbers of a 2.0.1 session's events: runs that are kept apart, and missing ones that are listed. */
export const SEQ_NO_RUNS_MAX = 200
export const SEQ_NOS_MISSING_MAX = 100
/** Samples of a 2.0.1 session that wait until one of its events names the EVSE; further ones go to the charger itself. */
export const WAITING_SAMPLES_MAX = 500
/** They wait for a day after the last event of the session, and go to the charger itself then. */
export const WAITING_SAMPLES_MAX_MS = 24 * 3_600_000
export const WAITING_SESSIONS_AT_ONCE = 100
/** Of one station: attributes of its variables that are kept, reports of them, and the parts of one report. */
export const CHARGER_VARIABLES_MAX = 10_000
export const CHARGER_REPORTS_MAX = 100
export const CHARGER_REPORT_PARTS_MAX = 10_000
/** A report without a new part for so long is incomplete. */
export const CHARGER_REPORT_WAIT_MS = 10 * 60_000
/** An idToken of 2.0.1; 1.6 has 20 characters. */
export const ID_TAG_LENGTH_MAX = 36
/** Keys that one command asks for, and length of a key or value: that of 2.0.1. */
export const COMMAND_KEYS_MAX = 100
export const COMMAND_TEXT_MAX = 1_000
/** How long the answer to a new command may wait for the station's. */
export const COMMAND_ANSWER_WAIT_MAX_S = 30
export const COMMAND_LOOK_EVERY_MS = 150

/** What a station may upload at once, how long it may wait with it, and how many of its files are kept. */
export const CHARGER_FILE_BYTES_MAX = 64 * 1024 * 1024
export const CHARGER_FILE_WAIT_MS = 2 * 3_600_000
export const CHARGER_FILES_KEPT = 20
export const CHARGER_FILE_NAME_MAX_LENGTH = 200
/** The database lies on the same disk as often as not. */
export const CHARGER_DISK_FREE_MIN_BYTES = 1024 ** 3
/** The specification's 48 is too short for some fleets. */
export const CPID_LENGTH_MAX = 100
/** A station's password as OCPP 2.0.1 has it; 1.6 has 16 to 20 bytes. */
export const STATION_PASSWORD_MIN = 16
export const STATION_PASSWORD_MAX = 40
/** A station that was not heard of for so long is not online: three pings, and some slack for writing it down. */
export const CHARGER_SILENT_MAX_MS = 200_000
/** Events of one type that are kept of one charger in a day (UTC); further ones are counted. */
export const CHARGER_EVENTS_A_DAY = 1_000
export const CHARGER_EVENT_BYTES_A_DAY = 4 * 1024 * 1024
/** Of one charger in all, once the nightly job has gone through them: the newest. */
export const CHARGER_EVENTS_KEPT = 20_000
export const CHARGER_EVENT_BYTES_KEPT = 64 * 1024 * 1024
/** Chargers of one statement of that job. */
export const CHARGERS_SWEPT_AT_ONCE = 100
/** Events and ended commands of longer ago are cleared, so many rows at a time. */
export const CHARGER_RECORDS_KEPT_MS = 400 * DAY_MS
export const CHARGER_RECORDS_SWEPT = 10_000
