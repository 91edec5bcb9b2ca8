package io.millrace.agent.history;

import io.millrace.agent.lsf.history.LsbAcctReader;
import io.millrace.agent.pbspro.accounting.PbsAccountingReader;
import io.millrace.agent.slurm.accounting.SacctReader;
import io.millrace.agent.torque.accounting.TorqueAccountingReader;
import io.millrace.agent.wlm.AccountingReader;
import io.millrace.model.ClusterId;
import java.time.ZoneId;
import java.util.Locale;
import java.util.function.Function;

/** The formats that can be imported. */
enum AccountingFormat {
    /** {@code sacct --parsable2} with a header. */
    SLURM(source -> new SacctReader(source.cluster(), source.zone())),
    /** {@code server_priv/accounting} of OpenPBS and PBS Pro. */
    PBS(source -> new PbsAccountingReader(source.cluster(), source.zone())),
    /** {@code server_priv/accounting} of Torque. */
    TORQUE(source -> new TorqueAccountingReader(source.cluster(), source.zone())),
    /** {@code lsb.acct} of LSF and OpenLava. */
    LSF(source -> new LsbAcctReader(source.cluster(), source.memoryPerSlot())),
    /** The history file of HTCondor, or {@code condor_history -long}. */
    HTCONDOR(source -> new CondorHistoryReader(source.cluster())),
    /** The short log of Cleo. */
    CLEO(source -> new CleoLogReader(source.cluster(), source.zone())),
    /** The Standard Workload Format. */
    SWF(source -> new SwfLogReader(source.cluster()));

    private final Function<Source, AccountingReader> reader;

    AccountingFormat(final Function<Source, AccountingReader> reader) {
        this.reader = reader;
    }

    /**
     * Where files come from, as far as they do not say it themselves.
     *
     * @param zone of the times without a zone
     * @param memoryPerSlot whether LSF reserves memory for each slot there, and not for each host
     */
    record Source(ClusterId cluster, ZoneId zone, boolean memoryPerSlot) {
        Source(final ClusterId cluster, final ZoneId zone) {
            this(cluster, zone, false);
        }
    }

    AccountingReader reader(final Source source) {
        return reader.apply(source);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
