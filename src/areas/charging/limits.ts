import { DAY_MS } from '../../kernel/time.ts'

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
/** A report without a new part for so long is incomplete. */
export const CHARGER_REPORT_WAIT_MS = 10 * 60_000
/** An idToken of 2.0.1; 1.6 has 20 characters. */
export const ID_TAG_LENGTH_MAX = 36
/** Keys that one command asks for, and length of a key or value: that of 2.0.1. */
export const COMMAND_KEYS_MAX = 100
export const COMMAND_TEXT_MAX = 1_000
/** How long the answer to a new command may wait for the station's. */
export const COMMAND_ANSWER_WAIT_MAX_S = 30
export const COMMAND_POLL_EVERY_MS = 150

/** What a station may upload at once, how long it may wait with it, and how many of its files are kept. */
export const CHARGER_FILE_BYTES_MAX = 64 * 1024 * 1024
export const CHARGER_FILE_WAIT_MS = 2 * 3_600_000
export const CHARGER_FILES_KEPT = 20
export const CHARGER_FILE_NAME_MAX_LENGTH = 200
/** The database lies on the same disk as often as not. */
export const CHARGER_DISK_FREE_MIN_BYTES = 1024 ** 3
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

/** A session that is told of so long after it began was charged offline. */
export const SESSION_LATE_MS = 5 * 60_000
/** How long after a remote start was sent a session may be what came of it: somebody has to plug in the car. */
export const REMOTE_START_MATCH_MS = 15 * 60_000
/** Of a longer session no cost is computed, and the curve ends there: no car charges for a month, its end was lost. */
export const SESSION_PRICED_MAX_MS = 31 * DAY_MS
/** Readings of intervals that are kept apart of a session, so that one sent again counts once: a day of minutes. Older ones are a sum. */
export const SESSION_INTERVALS_MAX = 1_500
export const CURVE_POINTS_MAX = 2_000
export const CURVE_POINTS_DEFAULT = 500
/** A connection whose place was taken so often within this time is contested, until it was left alone for as long as that. */
export const OCPP_TAKEOVERS_MAX = 5
export const OCPP_TAKEOVERS_WITHIN_MS = 15 * 60_000
/** Addresses that are named of them. */
export const OCPP_TAKEOVER_ADDRESSES_MAX = 10

/** How long the authority of stations is good for; its certificates end with it at the latest. */
export const AUTHORITY_VALID_MS = 20 * 365 * DAY_MS
export const CERTIFICATE_VALID_MS = 365 * DAY_MS
/** A certificate begins a little before it was made, for stations whose clock is behind. */
export const CERTIFICATE_BACKDATED_MS = DAY_MS
/** As the OCPP security white paper asks (A00.FR.503). */
export const RSA_BITS_MIN = 2_048
/** A share above the fallback is granted for so long, and renewed when half of it is over. */
export const SHARE_LEASE_MS = 15 * 60_000
/** A station's clock may be behind ours by so much: its share counts that much longer. */
export const SHARE_CLOCK_SLACK_MS = 2 * 60_000
/** Shares of a group that are all nearer than this to what was told stay as they are. */
export const SHARE_STEP_W = 500
/** A share is raised again after so long at the earliest, unless it is below the minimum. */
export const SHARE_RAISE_EVERY_MS = 30_000
/** A station that refused a profile, or did not answer, is asked again after so long; one that never took any, less often. */
export const SHARE_REFUSED_PAUSE_MS = 60_000
export const SHARE_NEVER_TAKEN_PAUSE_MS = 15 * 60_000
/** Command that tells a share: not sent after this. */
export const SHARE_COMMAND_MAX_MS = 2 * 60_000
/** Chargers of one group, and characters of its name. */
export const CHARGING_GROUP_MEMBERS_MAX = 200
export const CHARGING_GROUP_NAME_MAX = 200
/** Of a group and of a charger. */
export const CHARGING_POWER_MAX_KW = 100_000
/** 6 A on one phase: below it no car charges. */
export const CONNECTOR_MIN_KW = 1.4
/** What amperes are counted with, for each phase: the nominal voltage, as fuses are. */
export const NOMINAL_VOLTAGE = 230
/** How often it is looked for groups that are due, and how many are taken at a time. */
export const GROUP_LOOK_EVERY_MS = 1_000
export const GROUPS_AT_ONCE = 20
/** When a group is looked at again by itself: one that shares by need, which readings change, and any other. */
export const GROUP_BY_NEED_EVERY_MS = 10_000
export const GROUP_AGAIN_MS = 30_000
/** A reading that is older does not tell what a car needs. */
export const NEED_READING_MAX_MS = 5 * 60_000
/** A car that draws this part of its share may want more; one that draws less needs its draw and something on top. */
export const NEED_FULL_PART = 0.9
export const NEED_ON_TOP_PART = 1.1
/** A share counts as not used only after so long: cars take their time. */
export const NEED_SETTLE_MS = 60_000

/** A reservation keeps a connector for so long at most. */
export const RESERVATION_AHEAD_MAX_MS = 30 * DAY_MS
/** Reservations that one round of the clock ends. */
export const RESERVATIONS_DUE_AT_ONCE = 1_000
/** Letters of an id tag in OCPP 1.6. */
export const ID_TAG_LENGTH_16 = 20

/** Tags on the list of one station. */
export const LOCAL_LIST_ENTRIES_MAX = 5_000
/** Of one piece, where the station does not say how many it takes. */
export const LOCAL_LIST_PIECE = 100
/** How long a piece waits for its station. */
export const LOCAL_LIST_WAIT_MS = DAY_MS

/** Periods of a charging profile; OCPP 2.0.1 takes as many. */
export const PROFILE_PERIODS_MAX = 1_024
export const PROFILE_STACK_LEVEL_MAX = 100
/** The numbers below are of profiles of our own; the table's own begin with it. */
export const PROFILE_NUMBER_FIRST = 100
/** Of a composite schedule, seconds. */
export const COMPOSITE_SECONDS_MAX = 7 * 24 * 3600
/** Watts or amperes of a limit. */
export const PROFILE_LIMIT_MAX = 10_000_000
