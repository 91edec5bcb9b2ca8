// 50 steps: 16 chains of three, which two more steps join. Each of the three stages runs on another cluster.
params.first = ''
params.second = ''
params.third = ''

process data {
    clusterOptions params.first

    input:
    val i

    output:
    tuple val(i), path('data.txt')

    script:
    "seq $i ${i * 10} > data.txt"
}

process square {
    clusterOptions params.second

    input:
    tuple val(i), path(data)

    output:
    tuple val(i), path('square.txt')

    script:
    "awk '{print \$1 * \$1}' $data > square.txt"
}

process total {
    clusterOptions params.third

    input:
    tuple val(i), path(square)

    output:
    path("sum.${i}.txt")

    script:
    "awk '{s += \$1} END {print s}' $square > sum.${i}.txt"
}

process merge {
    clusterOptions params.first

    input:
    path(sums)

    output:
    path('all.txt')

    script:
    "cat $sums | sort -n > all.txt"
}

process report {
    clusterOptions params.first
    publishDir '.', mode: 'copy'

    input:
    path(all)

    output:
    path('report.txt')

    script:
    "sha256sum < $all > report.txt"
}

workflow {
    report(merge(total(square(data(Channel.of(1..16)))).collect()))
}
