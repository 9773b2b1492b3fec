// Lock discipline that the compiler checks (clang's -Wthread-safety). Members say which mutex guards them, functions
// say which one they need or must not hold.
#pragma once

#if defined(__clang__)
#define REPRISE_ANNOTATE(x) __attribute__((x))
#else
#define REPRISE_ANNOTATE(x)
#endif

#define REPRISE_CAPABILITY(x) REPRISE_ANNOTATE(capability(x))
#define REPRISE_SCOPED_CAPABILITY REPRISE_ANNOTATE(scoped_lockable)
#define REPRISE_GUARDED_BY(x) REPRISE_ANNOTATE(guarded_by(x))
#define REPRISE_PT_GUARDED_BY(x) REPRISE_ANNOTATE(pt_guarded_by(x))
#define REPRISE_REQUIRES(...) REPRISE_ANNOTATE(requires_capability(__VA_ARGS__))
#define REPRISE_EXCLUDES(...) REPRISE_ANNOTATE(locks_excluded(__VA_ARGS__))
#define REPRISE_ACQUIRE(...) REPRISE_ANNOTATE(acquire_capability(__VA_ARGS__))
#define REPRISE_TRY_ACQUIRE(...) REPRISE_ANNOTATE(try_acquire_capability(__VA_ARGS__))
#define REPRISE_RELEASE(...) REPRISE_ANNOTATE(release_capability(__VA_ARGS__))
#define REPRISE_NO_THREAD_SAFETY_ANALYSIS REPRISE_ANNOTATE(no_thread_safety_analysis)
#define REPRISE_RETURN_CAPABILITY(x) REPRISE_ANNOTATE(lock_returned(x))
